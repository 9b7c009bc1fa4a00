"""What cuts do to il and elle, counted over pairs of sentences."""

import json

import pytest
import torch

from model.checkpoints.checkpoint import CHECKPOINTS
from model.recording.history import CUTS, UNDECIDED
from model.sites.sites import Head
from model.tokenizer import Tokenizer
from model.training import causes
from model.training.data.minimal import MinimalBatch
from model.training.generated.coreference import held_out_minimal_pairs
from model.training.losses.causal import Choice
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.translator import load_translator


def test_memory_is_asked_of_the_pairs_whose_sentences_have_two_pronouns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pieces = Tokenizer.from_file(CHECKPOINTS / "en-fr" / "tokenizer.model")
    batches: list[MinimalBatch] = []

    def choices(_model: Transformer, batch: MinimalBatch, _carrier: Head) -> dict[str, Choice]:
        """Right in all rows but the first; the memory of "it" turns all that tell pairs apart."""
        batches.append(batch)
        right = torch.where(batch.elle == 1, 1.0, -1.0)
        none = right.clone()
        none[0] *= -1
        turned = torch.where(none != none[batch.partner], -none, none)
        leads = {name: turned if name == "it" else none for name in CUTS}
        return {name: Choice(lead, torch.ones_like(lead)) for name, lead in leads.items()}

    monkeypatch.setattr(causes, "choices_when_cut", choices)
    config = ModelConfig(len(pieces), 32, 4, 48, encoder_layers=1, decoder_layers=1)
    pairs = held_out_minimal_pairs(8, unseen_frame=True)
    found = causes.cut_pronouns(Transformer(config), pieces, pairs, Head("encoder", 0, 0))
    sentences = found.sentences
    assert sentences == sum(len(batch.source) for batch in batches)
    lost = len(batches)  # in each batch one sentence is wrong, and its pair is not told apart
    assert found.right["none"] == pytest.approx(1 - lost / sentences)
    assert found.apart == pytest.approx(1 - 2 * lost / sentences)
    assert found.changed["it"] == pytest.approx(found.apart)
    assert found.carried == 1
    assert found.sure["none"] == found.right["none"]  # a nat is more than the limit
    assert found.wrong["none"] == pytest.approx(1 - found.right["none"])


def test_a_choice_by_a_hair_is_undecided_and_counts_half(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = Tokenizer.from_file(CHECKPOINTS / "en-fr" / "tokenizer.model")

    def choices(_model: Transformer, batch: MinimalBatch, _carrier: Head) -> dict[str, Choice]:
        """Wrong by a hair in every row but the first, which is right by a nat."""
        leads = torch.where(batch.elle == 1, -UNDECIDED / 5, UNDECIDED / 5)
        leads[0] *= -50
        return {name: Choice(leads, torch.ones_like(leads)) for name in CUTS}

    monkeypatch.setattr(causes, "choices_when_cut", choices)
    config = ModelConfig(len(pieces), 32, 4, 48, encoder_layers=1, decoder_layers=1)
    pairs = held_out_minimal_pairs(4, unseen_frame=True)
    found = causes.cut_pronouns(Transformer(config), pieces, pairs, Head("encoder", 0, 0))
    assert found.right["link"] == found.sure["link"] < 0.5
    assert found.wrong["link"] == 0
    assert found.fair("link") == pytest.approx((1 + found.sure["link"]) / 2)


def test_two_sets_together_weigh_by_their_sentences() -> None:
    def shares(value: float) -> dict[str, float]:
        return dict.fromkeys(CUTS, value)

    def some(value: float) -> tuple[dict[str, float], ...]:
        return shares(value), shares(value), shares(value / 2)

    small = causes.Pronouns(10, shares(0.5), shares(0.9), 0.8, 1.0, *some(0.2))
    large = causes.Pronouns(30, shares(1.0), shares(1.0), 1.0, 0.5, *some(0.6))
    both = causes.together([small, large])
    assert both.sentences == 40
    assert both.right["none"] == pytest.approx((5 + 30) / 40)
    assert both.changed["it"] == pytest.approx((9 + 30) / 40)
    assert both.either["link"] == pytest.approx((2 + 18) / 40)
    assert both.sure["link"] == pytest.approx((2 + 18) / 40)
    assert both.wrong["link"] == pytest.approx((1 + 9) / 40)
    assert both.apart == pytest.approx((8 + 30) / 40)
    assert both.carried == pytest.approx((8 + 15) / 38)
    alike = causes.Pronouns(10, shares(0.5), shares(0.0), 0.0, 0.0)
    assert causes.together([alike]).carried == 0


def test_the_shipped_sets_together_are_those_of_the_file() -> None:
    kept = json.loads((CHECKPOINTS / "en-fr" / "causes.json").read_text())["pronouns"]
    sets = {name: causes.Pronouns(**one) for name, one in kept.items()}
    both = sets.pop(causes.TOGETHER)
    again = causes.together(list(sets.values()))
    assert again.right == pytest.approx(both.right)
    assert again.changed == pytest.approx(both.changed)
    assert (again.apart, again.carried) == pytest.approx((both.apart, both.carried))
    assert both.changed["it"] >= 0.94
    assert again.sure == pytest.approx(both.sure)
    for cut in ("link", "one_head", "reads"):
        assert both.fair(cut) == pytest.approx(0.5, abs=0.08)


def test_of_a_model_from_chinese_only_turned_words_are_measured() -> None:
    measured = causes.report(load_translator("zh-en"), [])
    assert list(measured) == ["turned"]
    assert {"a noun onto another", "he onto she"} <= {row["name"] for row in measured["turned"]}
