import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.nn import functional

from model.decoding.cached_scorer import CachedScorer
from model.learning.cross_entropy import smoothed_cross_entropy
from model.learning.example import (
    _rows_see,
    _without_diagonal,
    one_by_one,
    smoothing,
    training_example,
)
from model.sites.tap import Recorder
from model.training.data.batches import Batch
from model.training.losses.objectives import Objective
from model.training.losses.side import SideHeads
from model.training.settings import TrainingSettings
from model.translator import Translator, load_translator

SOURCE, TARGET = "My sister drinks water.", "Ma sœur boit de l'eau."
SENTENCE = "The animal didn't cross the street because it was too tired."

Ids = tuple[tuple[int, ...], tuple[int, ...]]


@pytest.fixture(scope="module")
def shipped() -> Translator:
    return load_translator("en-fr")


def trainers_loss(translator: Translator, ids: Ids, epsilon: float) -> float:
    """Ask what the trainer minimises, with the translator's weights and no dropout."""
    settings = TrainingSettings(translator.config)
    objective = Objective(translator.model, SideHeads(translator.config), settings)
    source, target = (torch.tensor([side]) for side in ids)
    nothing = torch.tensor([-1])
    asked = nothing >= 0, nothing, nothing >= 0, nothing
    batch = Batch(source, target, target[:, :-1], *asked, resting=source < 0)
    return objective.translate(batch, epsilon).loss.item()


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.4])
def test_the_loss_is_the_trainers(translator: Translator, ids: Ids, epsilon: float) -> None:
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET), epsilon)
    assert example.loss == pytest.approx(trainers_loss(translator, ids, epsilon))
    assert example.smoothed.mean() == pytest.approx(example.loss, rel=1e-5)


def test_the_loss_of_the_shipped_model_is_the_trainers(shipped: Translator) -> None:
    translation = shipped.translate(SENTENCE)
    found = training_example(shipped, shipped.pair_ids(SENTENCE, translation), 0.1)
    ids = shipped.pair_ids(SENTENCE, translation)
    assert found.loss == pytest.approx(trainers_loss(shipped, ids, 0.1), rel=1e-5)
    assert found.loss >= found.smoothing.floor


def test_inputs_are_the_targets_shifted_right(translator: Translator) -> None:
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET))
    assert example.input_ids[0] == translator.tokenizer.begin_id
    assert example.target_ids[-1] == translator.tokenizer.end_id
    assert example.input_ids[1:] == example.target_ids[:-1]
    assert example.input_tokens[1:] == example.target_tokens[:-1]
    assert translator.tokenizer.decode(list(example.target_ids)) == TARGET
    assert example.source_tokens == translator.source(SOURCE).tokens


def test_each_rows_loss_is_minus_log_p_of_its_target(translator: Translator) -> None:
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET))
    rows = range(len(example.target_ids))
    right = [example.probabilities[row, example.target_ids[row]] for row in rows]
    np.testing.assert_allclose(example.losses, -np.log(right), rtol=1e-4)
    np.testing.assert_allclose(example.probabilities.sum(axis=1), 1, rtol=1e-5)


def test_losses_are_torchs_on_the_recorded_logits(translator: Translator) -> None:
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET), 0.2)
    logits = torch.tensor(translator.record(SOURCE, TARGET).logits)  # T V
    expected = functional.cross_entropy(
        logits, torch.tensor(example.target_ids), label_smoothing=0.2, reduction="none"
    )
    np.testing.assert_allclose(example.smoothed, expected.numpy(), rtol=1e-5)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.9])
def test_the_floor_is_reached_by_the_smoothed_target_itself(epsilon: float) -> None:
    pieces = 50
    smooth = smoothing(epsilon, pieces)
    assert smooth.right + (pieces - 1) * smooth.other == pytest.approx(1)
    shares = torch.full((1, pieces), max(smooth.other, 1e-30))
    shares[0, 3] = smooth.right
    reached = smoothed_cross_entropy(shares.log(), torch.tensor([3]), epsilon, 0)
    assert reached.item() == pytest.approx(smooth.floor, abs=1e-6)
    shares[0, 3] *= 1.5
    assert smoothed_cross_entropy(shares.log(), torch.tensor([3]), epsilon, 0) >= smooth.floor


def test_a_smoothing_that_is_no_share_is_refused(translator: Translator) -> None:
    for wrong in (-0.1, 1.0, math.nan):
        with pytest.raises(ValueError, match="label smoothing must be"):
            training_example(translator, translator.pair_ids(SOURCE, TARGET), wrong)


def test_without_the_diagonal_no_row_sees_what_it_is_given(
    translator: Translator, ids: Ids
) -> None:
    example = training_example(translator, ids, own_position=False)
    assert example.blind == (0,)
    assert not example.mask[0].any()
    assert not example.mask.diagonal().any()
    assert np.isfinite(example.losses).all()
    usual = training_example(translator, translator.pair_ids(SOURCE, TARGET))
    assert usual.blind == ()
    assert (usual.mask & ~example.mask).sum() == len(usual.target_ids)
    assert np.abs(example.losses - usual.losses).max() > 1e-4


def test_without_the_diagonal_self_attention_gives_the_first_row_nothing(
    translator: Translator, ids: Ids
) -> None:
    mask = _rows_see(len(ids[1]) - 1, own_position=False)
    edits = _without_diagonal(translator.model, mask)._edits  # pyrefly: ignore[missing-attribute]
    recorder = Recorder(edits)
    with torch.inference_mode():
        translator.model(torch.tensor([ids[0]]), torch.tensor([ids[1][:-1]]), recorder)
    for layer in range(translator.config.decoder_layers):
        weights = recorder.recorded[f"decoder.{layer}.self_attn.weights"][0]  # H T T
        assert not weights[:, 0].any()
        torch.testing.assert_close(weights[:, 1:].sum(-1), torch.ones_like(weights[:, 1:, 0]))
        assert not weights.diagonal(dim1=1, dim2=2).any()


def test_one_row_after_the_other_gives_what_one_pass_gives(
    translator: Translator, ids: Ids
) -> None:
    found = one_by_one(translator.model, *ids)
    np.testing.assert_allclose(found.at_once, found.one_by_one, rtol=1e-4)
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET))
    np.testing.assert_allclose(found.at_once, example.losses, rtol=1e-5)


def test_one_by_one_computes_a_row_at_a_time(
    translator: Translator, ids: Ids, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    call: Callable[..., torch.Tensor] = CachedScorer.__call__

    def counted(self: CachedScorer, prefixes: torch.Tensor) -> torch.Tensor:
        asked.append(prefixes.size(1))
        return call(self, prefixes)

    monkeypatch.setattr(CachedScorer, "__call__", counted)
    one_by_one(translator.model, *ids)
    assert asked == list(range(1, len(ids[1])))


def test_nothing_can_be_written_into_an_example(translator: Translator) -> None:
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET))
    for array in (example.mask, example.probabilities, example.losses, example.smoothed):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_long_sides_are_cut_alike(translator: Translator) -> None:
    source, target = translator.pair_ids("My sister. " * 60, "Ma sœur. " * 60)
    assert len(source) == len(target) - 1 == translator.max_tokens
    assert target[-1] == source[-1] == translator.tokenizer.end_id
    training_example(
        translator,
        translator.pair_ids("My sister. " * 60, "Ma sœur. " * 60),
    )


def test_an_empty_target_has_one_row(translator: Translator) -> None:
    example = training_example(translator, translator.pair_ids(SOURCE, ""))
    assert example.input_tokens == ("<s>",)
    assert example.target_tokens == ("</s>",)
    with pytest.raises(ValueError, match="empty"):
        training_example(translator, translator.pair_ids("", TARGET))
