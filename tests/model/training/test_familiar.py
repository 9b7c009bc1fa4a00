"""The limits beyond which a sentence is far from what a model learned."""

import json
import sys
from pathlib import Path

import pytest

from model import load_translator
from model.checkpoints.card import FAMILIAR
from model.checkpoints.checkpoint import CHECKPOINTS
from model.measures.familiarity import SIGNS, signs
from model.training import familiar
from model.training.data.pairs import Pair

LONG = "When the old man who lived next door opened the letter, he sat down and began to cry."


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    """A hundred short sentences and one that is longer and rarer than they."""
    known = [Pair("I am here.", "Je suis ici."), Pair("The cat is black.", "Le chat est noir.")]
    return [*known * 50, Pair(f"Photosynthesis, xylophones: {LONG}", "Rien.")]


def test_what_is_longer_rarer_and_less_sure_lies_beyond_the_limits(
    pairs: list[Pair],
) -> None:
    translator = load_translator("en-fr")
    found = familiar.measure(translator, pairs)
    assert found["sentences"] == 101
    assert found["beyond"] == {sign: found["beyond"]["long"] for sign in SIGNS}
    assert found["beyond"]["long"]["sentences"] == 1
    assert found["ordinary"]["sentences"] == 100
    assert found["ordinary"]["chrf"] > 90 > found["beyond"]["long"]["chrf"]
    last = translator.translate(pairs[-1].source)
    tokens = translator.source(pairs[-1].source).tokens
    own = signs(tokens, last.log_prob, len(last.tokens) + 1)
    assert all(own[sign] > found["limits"][sign] for sign in SIGNS)


def test_too_few_pairs_are_refused(
    pairs: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "dev.tsv"
    file.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in pairs[:3]))
    monkeypatch.setattr(sys, "argv", ["familiar", "--dev", str(file)])
    assert familiar.main() == 1


def test_the_shipped_limits_part_better_translations_from_worse_ones() -> None:
    found = json.loads((CHECKPOINTS / "en-fr" / FAMILIAR).read_text(encoding="utf-8"))
    assert found["sentences"] > 1000
    for sign in SIGNS:
        assert found["beyond"][sign]["chrf"] < found["ordinary"]["chrf"] - 5
        assert found["beyond"][sign]["sentences"] <= found["sentences"] / 100 + 1
