"""Measuring by length: who is measured together, and that the figures are sacrebleu's."""

import json
import sys
from pathlib import Path

import pytest
import sacrebleu

from model.checkpoints.checkpoint import save_checkpoint
from model.training import lengths
from model.training.data.pairs import Pair
from model.training.lengths import by_length, in_a_row, measure
from model.translator import Translator


def numbered(count: int) -> list[Pair]:
    return [Pair(" ".join(["word"] * (1 + n % 25)) + f" {n}", f"mot {n}") for n in range(count)]


def test_groups_hold_sentences_of_their_lengths_and_no_more_than_asked() -> None:
    groups = by_length(numbered(200), texts=9)
    assert list(groups) == ["1-3", "4-5", "6-7", "8-9", "10-12", "13-20"]
    for name, pairs in groups.items():
        low, high = map(int, name.split("-"))
        assert len(pairs) == len(set(pairs)) == 9
        assert all(low <= len(pair.source.split()) <= high for pair in pairs)
    assert groups == by_length(numbered(200), texts=9)


def test_sentences_in_a_row_are_joined_on_both_sides_and_drawn_once() -> None:
    texts = in_a_row(numbered(30), 3, 10)
    assert len(texts) == 10
    drawn = [word for text in texts for word in text.target.split() if word != "mot"]
    assert sorted(map(int, drawn)) == list(range(30))
    for text in texts:
        sources = [word for word in text.source.split() if word != "word"]
        assert sources == [word for word in text.target.split() if word != "mot"]
    with pytest.raises(ValueError, match="11 texts of 3 sentences need more than 30 pairs"):
        in_a_row(numbered(30), 3, 11)


def test_figures_are_sacrebleus_of_greedy_translations(
    translator: Translator, pairs: list[Pair]
) -> None:
    (row,) = measure(translator, {"some": pairs[:4], "none": []})
    found = [translator.translate(pair.source).text for pair in pairs[:4]]
    wanted = [pair.target for pair in pairs[:4]]
    assert row["bleu"] == round(sacrebleu.corpus_bleu(found, [wanted]).score, 2)
    assert row["chrf"] == round(sacrebleu.corpus_chrf(found, [wanted]).score, 2)
    assert (row["words"], row["sentences"]) == ("some", 4)
    assert row["mean_words"] == sum(len(p.source.split()) for p in pairs[:4]) / 4


def test_the_command_writes_what_it_measured_beside_the_weights(
    translator: Translator, pairs: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, tsv = tmp_path / "copy", tmp_path / "test.tsv"
    weights = translator.model.state_dict()
    save_checkpoint(folder, translator.config, weights, translator.tokenizer, {})
    tsv.write_text("".join(f"{p.source}\t{p.target}\n" for p in pairs), encoding="utf-8")
    given = ["lengths", str(tsv), "--checkpoints", str(folder), "--texts", "2"]
    monkeypatch.setattr(sys, "argv", given)
    assert lengths.main() == 0
    found = json.loads((folder / "lengths.json").read_text())
    assert found["command"].endswith("lengths test.tsv --texts 2 --checkpoints copy")
    assert [row["words"] for row in found["in_a_row"]] == ["1", "2", "3", "4", "5"]
    assert all(row["sentences"] == 2 for row in found["in_a_row"])
