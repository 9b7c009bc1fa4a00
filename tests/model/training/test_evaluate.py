import sys
from pathlib import Path

import pytest
import sacrebleu
import torch

from model.checkpoints.checkpoint import Checkpoint
from model.tokenizer import Tokenizer
from model.training import evaluate as command
from model.training.data.pairs import Pair, read_pairs
from model.training.evaluate import evaluate, score, translate_all
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.translator import Translator

SOURCES = ["one", "a b c d e", "a b c d e f", "w " * 10, "w " * 11, "w " * 20, "w " * 21, "w " * 90]
REFERENCES = [f"Le chat numéro {n} dort dans la maison ." for n in range(8)]
HYPOTHESES = [f"Le chien numéro {n} dort dans la maison bleue ." for n in range(8)]


def test_a_chinese_character_counts_as_a_word() -> None:
    sources = ["我爱你。", "他今天没有来学校。", "猫 and 狗"]
    rows = score(HYPOTHESES[:3], REFERENCES[:3], sources)
    assert [(row.words, row.sentences) for row in rows] == [("all", 3), ("1-5", 2), ("6-10", 1)]


def test_scores_are_sacrebleus() -> None:
    whole = score(HYPOTHESES, REFERENCES, SOURCES)[0]
    assert (whole.words, whole.sentences) == ("all", 8)
    bleu = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES]).score
    chrf = sacrebleu.corpus_chrf(HYPOTHESES, [REFERENCES]).score
    assert 0 < bleu < 100
    assert (whole.bleu, whole.chrf) == (round(bleu, 2), round(chrf, 2))


def test_every_sentence_is_in_one_length_bucket() -> None:
    whole, *buckets = score(HYPOTHESES, REFERENCES, SOURCES)
    found = [(bucket.words, bucket.sentences) for bucket in buckets]
    assert found == [("1-5", 2), ("6-10", 2), ("11-20", 2), ("over 20", 2)]
    assert sum(bucket.sentences for bucket in buckets) == whole.sentences
    bleu = sacrebleu.corpus_bleu(HYPOTHESES[2:4], [REFERENCES[2:4]]).score
    assert buckets[1].bleu == round(bleu, 2)


def test_a_bucket_without_sentences_is_left_out() -> None:
    assert [row.words for row in score(HYPOTHESES[:1], REFERENCES[:1], SOURCES[:1])] == [
        "all",
        "1-5",
    ]


def test_a_perfect_translation_scores_a_hundred() -> None:
    assert [row.bleu for row in score(REFERENCES, REFERENCES, SOURCES)] == [100.0] * 5


def test_many_at_a_time_are_translated_as_one_alone(
    translator: Translator, pairs: list[Pair]
) -> None:
    texts = [pair.source for pair in pairs[:12]] + ["?", "The cat " * 40]
    expected = [translator.translate(text).text for text in texts]
    found = translate_all(translator.model, translator.tokenizer, texts, batch=5)
    assert found == expected


def test_sentences_that_end_early_do_not_go_on_beside_longer_ones(
    config: ModelConfig, translator: Translator, pairs: list[Pair]
) -> None:
    torch.manual_seed(0)
    model = Transformer(config).eval().requires_grad_(False)
    model.embedding.weight[config.end_id] *= 3  # now and then the end token has the highest score
    loaded = Checkpoint(translator.folder, model, translator.tokenizer, {})
    one_by_one = [Translator(loaded).translate(pair.source) for pair in pairs]
    assert len({len(translation.ids) for translation in one_by_one}) >= 3
    found = translate_all(model, translator.tokenizer, [pair.source for pair in pairs])
    assert found == [translation.text for translation in one_by_one]


def test_a_file_is_translated_and_scored(
    model: Transformer, tokenizer: Tokenizer, corpus: Path
) -> None:
    path = corpus / "dev.tsv"
    pairs = read_pairs(path)[:5]
    rows = evaluate(model, tokenizer, path, limit=5)
    hypotheses = translate_all(model, tokenizer, [pair.source for pair in pairs])
    assert rows[0].sentences == 5
    chrf = sacrebleu.corpus_chrf(hypotheses, [[pair.target for pair in pairs]]).score
    assert rows[0].chrf == round(chrf, 2)
    assert rows[0].to_dict()["sentences"] == 5


def test_the_command_prints_one_row_a_bucket(
    checkpoint_folder: Path,
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["evaluate", str(corpus / "dev.tsv"), "--checkpoint", str(checkpoint_folder)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert command.main() == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["words", "sentences", "BLEU", "chrF"]
    assert [row.split()[0] for row in rows] == ["all", "1-5"]
    assert [row.split()[1] for row in rows] == ["12", "12"]


@pytest.mark.parametrize(("content", "message"), [("", "no pairs"), ("alone", "two columns")])
def test_a_file_without_pairs_is_one_line_and_an_exit_code(
    checkpoint_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    content: str,
    message: str,
) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(content)
    arguments = ["evaluate", str(path), "--checkpoint", str(checkpoint_folder)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert command.main() == 1
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out
