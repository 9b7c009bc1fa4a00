"""Twins that differ in their positions: that they train, and what is measured of them."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoints.card import POSITIONS
from model.training import positions
from model.training.data.pairs import Pair, read_pairs
from model.training.dev_loss import loss_of
from model.training.positions import by_length, copied, texts_of
from model.translator import Translator, load_translator
from tests.model.training.conftest import Train


@pytest.fixture(autouse=True)
def _tiny_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters, nearly: what is short has more pieces than in a real vocabulary."""
    monkeypatch.setattr(positions, "SHORT", 24)


def test_texts_are_joined_from_short_pairs_until_they_are_as_long(
    translator: Translator, pairs: list[Pair]
) -> None:
    tokenizer = translator.tokenizer
    texts = texts_of(pairs, tokenizer, 40, 50, 30)
    assert len(texts) == 30
    sizes = [
        max(len(tokenizer.encode(text.source)), len(tokenizer.encode(text.target)))
        for text in texts
    ]
    assert all(40 <= size <= 50 for size in sizes)
    assert len(set(sizes)) > 2
    sources = {pair.source: pair.target for pair in pairs}
    for text in texts[:5]:
        parts = [f"{part}." for part in text.source.rstrip(".").split(". ")]
        assert " ".join(sources[part] for part in parts) == text.target
    assert texts_of(pairs, tokenizer, 40, 50, 30) == texts
    with pytest.raises(ValueError, match="no pair has at most 24 pieces"):
        texts_of([Pair("word " * 40, "mot")], tokenizer, 40, 50, 1)


def test_the_loss_is_the_mean_of_all_pieces_and_their_ends(
    translator: Translator, pairs: list[Pair]
) -> None:
    some = pairs[:7]
    nats, pieces = 0.0, 0
    for pair in some:
        recording = translator.record(pair.source, pair.target)
        ids = [*recording.target_ids[1:], translator.tokenizer.end_id]
        rows = torch.from_numpy(recording.logits.copy()).log_softmax(-1)
        nats -= float(rows[range(len(ids)), ids].sum())
        pieces += len(ids)
    assert loss_of(translator, some) == pytest.approx(nats / pieces, abs=1e-4)


@pytest.mark.parametrize(
    ("written", "share"),
    [("A B A", 1.0), ("A B", 2 / 3), ("", 0.0), ("A A B A", 1 / 3), ("A B A A", 1.0)],
)
def test_a_letter_is_copied_when_it_stands_at_its_place(written: str, share: float) -> None:
    assert copied("A B A", written) == pytest.approx(share)


@pytest.mark.parametrize("kind", ["learned", "rotary"])
def test_a_twin_trains_resumes_and_is_measured(
    train: Train, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    given = ("--steps=6", "--bleu=0", f"--positions={kind}", "--longest-pair=14", "--copies=0.2")
    assert train(tmp_path, *given, "--until=3", "--save-every=3") == 0
    assert train(tmp_path, *given, "--resume", "--save-every=3") == 0
    twin = load_translator(tmp_path / "tiny")
    assert twin.config.positions == kind
    monkeypatch.setattr(positions, "BANDS", ((1, 24), (25, 48)))
    monkeypatch.setattr(positions, "ROWS", (2, 5))
    asked = ["--dev", str(corpus / "dev.tsv"), "--checkpoints", str(tmp_path / "tiny")]
    monkeypatch.setattr(sys, "argv", ["positions", *asked, "--texts=3"])
    assert not positions.main()
    found = json.loads((tmp_path / "tiny" / POSITIONS).read_text(encoding="utf-8"))
    assert found["longest_pair"] == 14
    assert [row["letters"] for row in found["copies"]] == [2, 5]
    assert found["lengths"] == by_length(twin, read_pairs(corpus / "dev.tsv"), 3)


@pytest.mark.parametrize(
    ("flags", "values"),
    [
        (("--scores=additive",), {"scores": "additive"}),
        (("--activation=none",), {"activation": "none"}),
        (("--heads=1",), {"heads": 1}),
    ],
)
def test_a_twin_with_another_part_trains_and_resumes(
    train: Train, tmp_path: Path, flags: tuple[str, ...], values: dict[str, Any]
) -> None:
    given = ("--steps=4", "--bleu=0", "--pretrain=0", *flags)
    assert train(tmp_path, *given, "--until=2", "--save-every=2") == 0
    assert train(tmp_path, *given, "--resume", "--save-every=2") == 0
    twin = load_translator(tmp_path / "tiny")
    assert twin.config.to_dict().items() >= values.items()
    assert twin.card["settings"]["config"].items() >= values.items()
    assert twin.translate("a b").tokens
