"""The recurrent checkpoints that ship: what they take, and that they do what their cards say."""

from pathlib import Path

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.card import load_card
from model.checkpoints.checkpoint import CHECKPOINTS
from model.recurrent.config import ATTENDING
from model.translator import load_translator
from tests.model.recurrent.conftest import KINDS


def folder(kind: str) -> Path:
    return CHECKPOINTS / f"en-fr-{kind}"


@pytest.mark.parametrize("kind", [*ATTENDING, "words"])
def test_each_takes_at_most_five_megabytes(kind: str) -> None:
    assert sum(path.stat().st_size for path in folder(kind).iterdir()) <= 5_000_000


@pytest.mark.parametrize("kind", ATTENDING)
def test_a_shipped_model_needs_no_transformer(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (kind, "words"):
        (tmp_path / folder(name).name).symlink_to(folder(name))
    monkeypatch.setattr(checkpoint, "CHECKPOINTS", tmp_path)
    sample = load_card(folder(kind)).samples[0]
    assert load_translator(f"en-fr-{kind}").translate(sample["en"]).text == sample["fr"]
    assert [path.name for path in sorted(folder("words").iterdir())] == [
        "model.safetensors", "tokenizer.model"
    ]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_shipped_model_writes_the_samples_of_its_card(kind: str) -> None:
    translator, card = load_translator(folder(kind)), load_card(folder(kind))
    assert card.settings["config"]["kind"] == kind
    for sample in card.samples[:6]:
        assert translator.translate(sample["en"]).text == sample["fr"]


def test_attention_translates_better_than_a_fixed_vector_most_of_all_long_sentences() -> None:
    tables = {kind: load_card(folder(kind)).quality["test"]["greedy"] for kind in ATTENDING}
    gaps: dict[str, float] = {}
    for row, other in zip(tables["additive"], tables["none"], strict=True):
        assert row["words"] == other["words"]
        gaps[row["words"]] = row["bleu"] - other["bleu"]
    assert max(table[0]["bleu"] for table in tables.values()) >= 35
    assert min(gaps["all"], gaps["1-5"]) > 3
    assert gaps["6-10"] > gaps["1-5"]
