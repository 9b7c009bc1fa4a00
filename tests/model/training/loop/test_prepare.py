"""What a run prepares: generated pairs, and the weights of its files."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.tokenizer import Tokenizer
from model.training.data.pairs import EncodedPair, Pair, encode_pairs
from model.training.generated.coreference import training_pairs
from model.training.loop.prepare import encode_pronouns, generator, read_corpus
from model.training.options import TrainingFile, training_file
from model.training.settings import TrainingSettings


def test_generated_pairs_are_new_in_every_round_and_as_many_as_are_set(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    roomy = replace(settings.config, max_length=200)
    given = replace(settings, config=roomy, tokens=200, generated=(0, 0.1, 0.25))
    generated = generator(tokenizer, given)
    assert [len(generated(7, phase, 90)) for phase in range(4)] == [0, 10, 30, 30]
    assert generated(2, 1, 90) == generated(2, 1, 90)
    assert not any(pair in generated(2, 1, 90) for pair in generated(3, 1, 90))
    assert all(pair.generated for pair in generated(2, 1, 90))
    assert " because it " in tokenizer.decode(generated(2, 1, 90)[0].source)


def test_phrases_with_two_adjectives_are_added_in_the_phases_that_are_set(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    roomy = replace(settings.config, max_length=200)
    given = replace(settings, config=roomy, generated=(0.1,), phrases=(0, 0.3))
    generated = generator(tokenizer, given)
    for phase, pronouns, phrases in ((0, 6, 0), (1, 10, 30), (2, 10, 30)):
        sources = [tokenizer.decode(pair.source) for pair in generated(5, phase, 60)]
        about = [" because it " in source for source in sources]
        assert (sum(about), len(about)) == (pronouns, pronouns + phrases)
    assert all(pair.generated for pair in generated(5, 1, 60))


def test_what_is_asked_of_a_pronoun_pair_is_where_and_what_it_stands_for(
    tokenizer: Tokenizer,
) -> None:
    pairs = training_pairs(40, 0)
    for pair, encoded in zip(pairs, encode_pronouns(pairs, tokenizer, 200), strict=True):
        assert encoded.asked is not None
        until = tokenizer.decode(encoded.source[: encoded.asked.place + 1])
        assert until.endswith(" because it")
        assert pair.antecedent_word.endswith(tokenizer.token(encoded.asked.noun).strip("▁"))
        assert encoded.asked.elle == (pair.gender == "f")
        plain = encode_pairs([Pair(pair.source, pair.target)], tokenizer, 200)
        assert encoded.source == plain[0].source


def test_a_training_file_may_have_weights_by_phase() -> None:
    assert training_file("a.tsv") == TrainingFile(Path("a.tsv"), (1.0,))
    assert training_file("b/a.tsv.gz:0.5,0") == TrainingFile(Path("b/a.tsv.gz"), (0.5, 0.0))
    with pytest.raises(ValueError, match=r"a\.tsv:much: FILE or FILE:WEIGHT"):
        training_file("a.tsv:much")


def test_visitors_exchanged_and_typed_pairs_come_in_the_shares_that_are_set(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    corpus = [Pair("Tom is asleep.", "Tom dort."), Pair("Tom sees Mary.", "Tom voit Mary.")]
    roomy = replace(settings, config=replace(settings.config, max_length=200), tokens=200)
    counts = {"visitors": 40, "exchanged": 20, "typed": 40}
    made: list[EncodedPair] = []
    for name, count in counts.items():
        share: dict[str, Any] = {name: (0, 0.25)}
        given = replace(roomy, **share)
        generated = generator(tokenizer, given, corpus)
        assert generated(1, 0, 60) == []
        made = generated(1, 1, 3 * count)
        assert len(made) == count
        assert made == generated(1, 1, 3 * count)
        assert not any(pair.generated for pair in made)  # they teach what words mean
    sources = {tokenizer.decode(pair.source) for pair in made}
    assert {source.lower().strip(".") for source in sources} == {"tom is asleep", "tom sees mary"}
    assert len(sources) > 4


def test_no_sentence_of_the_test_set_is_learned(tmp_path: Path) -> None:
    lines = ["What time is it?\tQuelle heure est-il ?", "The cat sleeps.\tLe chat dort."]
    (tmp_path / "train.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "dev.tsv").write_text("A.\tB.\n", encoding="utf-8")
    corpus = read_corpus([tmp_path / "train.tsv"], [], tmp_path / "dev.tsv")
    assert [pair.source for pair in corpus.files[0]] == ["The cat sleeps."]


def test_chinese_pairs_come_in_the_share_that_is_set(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    roomy = replace(settings, config=replace(settings.config, max_length=2000), tokens=2000)
    generated = generator(tokenizer, replace(roomy, chinese=(0, 0.25)))
    assert generated(1, 0, 60) == []
    made = generated(1, 1, 60)
    assert len(made) == 20
    assert made == generated(1, 1, 60)
