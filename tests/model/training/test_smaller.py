"""Measuring models made smaller: every size, and the file that the app reads."""

import sys
from pathlib import Path

import pytest

from model import load_translator
from model.checkpoints.card import SMALLER
from model.measures.smaller import read
from model.training import smaller
from model.training.data.pairs import Pair
from model.training.smaller import measured
from model.translator import Translator

PAIRS = [Pair("The cat is sleeping.", "Le chat dort."), Pair("It is late.", "Il est tard.")]


def test_every_size_is_measured_the_whole_one_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.training.smaller.BITS", (2,))
    monkeypatch.setattr("model.training.smaller.SHARES", (0.9,))
    reported = []
    rows = measured(load_translator("en-fr"), PAIRS, reported.append)
    assert [row.method for row in rows] == ["whole", "quantised", "pruned"]
    assert reported == list(rows)
    assert rows[0].moved == 0
    assert rows[0].chrf == pytest.approx(100)
    assert max(rows[1].chrf, rows[2].chrf) < 60


def test_what_the_command_writes_is_what_is_read(
    translator: Translator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smaller, "BITS", (4,))
    monkeypatch.setattr(smaller, "SHARES", ())
    pairs = tmp_path / "dev.tsv"
    pairs.write_text("The cat sleeps.\tLe chat dort.\nNo.\tNon.\n", encoding="utf-8")
    given = [str(pairs), "--checkpoints", str(translator.folder), "--sentences", "1"]
    monkeypatch.setattr(sys, "argv", ["smaller", *given])
    assert not smaller.main()
    found = read(translator.folder / SMALLER)
    (translator.folder / SMALLER).unlink()
    assert [(row.method, row.amount) for row in found.rows] == [("whole", 0), ("quantised", 4)]
    assert found.sentences == 1
