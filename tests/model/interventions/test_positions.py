import numpy as np
import pytest
import torch

from model.decoding.edited_scorer import EditedScorer
from model.interventions.masks import BlockAttention
from model.interventions.positions import (
    PositionIntervention,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
    repeated,
    shuffled,
)
from model.interventions.prepare import prepare
from model.recording.recording import Recording, record
from model.sites.sites import STACKS, Stack
from model.transformer.positional import sinusoidal_positions
from model.transformer.transformer import Transformer
from model.translator import Translator
from tests.model.interventions.conftest import SOURCE, TARGET, run


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("edit", [ScalePositions, ShiftPositions])
def test_an_edit_that_changes_nothing_changes_nothing(
    model: Transformer, plain: Recording, stack: Stack, edit: type
) -> None:
    neutral = edit(stack, 1.0) if edit is ScalePositions else edit(stack, 0)
    np.testing.assert_array_equal(run(model, neutral).logits, plain.logits)


@pytest.mark.parametrize("stack", STACKS)
def test_the_edited_positions_are_what_enters_the_first_layer(
    model: Transformer, plain: Recording, stack: Stack
) -> None:
    edited = run(model, ScalePositions(stack, 0.0))
    assert not edited[f"{stack}.positions"].any()
    np.testing.assert_array_equal(edited[f"{stack}.input"], plain[f"{stack}.embedding"])
    assert not np.allclose(edited.logits, plain.logits, atol=1e-3)


def test_without_positions_the_encoder_treats_words_as_a_bag(model: Transformer) -> None:
    order = [3, 1, 0, 2, 5, 4, 6]
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    moved = record(model, [SOURCE[i] for i in order], TARGET, *names, [_no_order()])
    straight = run(model, _no_order())
    np.testing.assert_allclose(
        moved["encoder.memory"], straight["encoder.memory"][order], atol=1e-5
    )
    np.testing.assert_allclose(moved.logits, straight.logits, atol=1e-5)


def _no_order() -> ScalePositions:
    return ScalePositions("encoder", 0.0)


def test_a_shift_gives_the_encodings_of_later_positions(model: Transformer) -> None:
    edited = run(model, ShiftPositions("encoder", 5))["encoder.positions"]
    np.testing.assert_array_equal(edited, model.get_buffer("positions")[5 : 5 + len(SOURCE)])


@pytest.mark.parametrize("by", [-64, -3, 63, 64])
def test_a_shift_past_the_table_follows_the_formula(model: Transformer, by: int) -> None:
    edited = run(model, ShiftPositions("decoder", by))["decoder.positions"]
    np.testing.assert_allclose(edited[0, :2], [np.sin(by), np.cos(by)], atol=1e-6)
    base = sinusoidal_positions(len(TARGET), model.config.d_model)
    # PE(p) . PE(q) depends on the distance of p and q alone.
    np.testing.assert_allclose(edited @ edited.T, (base @ base.T).numpy(), atol=1e-4)


def test_a_shuffle_hands_out_the_same_positions_in_the_seeds_order(
    model: Transformer, plain: Recording
) -> None:
    order = shuffled(len(SOURCE), 3)
    assert sorted(order.tolist()) == list(range(len(SOURCE)))
    assert order.tolist() != sorted(order.tolist())
    edited = run(model, ShufflePositions("encoder", 3))["encoder.positions"]
    np.testing.assert_array_equal(edited, plain["encoder.positions"][order])
    other = run(model, ShufflePositions("encoder", 4))["encoder.positions"]
    assert not np.array_equal(other, edited)


def test_a_repeated_position_is_given_out_twice(model: Transformer, plain: Recording) -> None:
    assert repeated(5, 2).tolist() == [0, 1, 2, 2, 4]
    assert repeated(3, 2).tolist() == [0, 1, 2]
    edited = run(model, RepeatPosition("encoder", 2))["encoder.positions"]
    np.testing.assert_array_equal(edited, plain["encoder.positions"][[0, 1, 2, 2, 4, 5, 6]])


def test_edits_of_one_stack_are_applied_in_order(model: Transformer) -> None:
    both = run(model, ShiftPositions("encoder", 2), ScalePositions("encoder", 3.0))
    expected = 3 * model.get_buffer("positions")[2 : 2 + len(SOURCE)]
    np.testing.assert_allclose(both["encoder.positions"], expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (ScalePositions("encoder", float("nan")), "factor must be a finite number"),
        (ShufflePositions("encoder", -1), "seed must be a whole number from 0"),
        (ShiftPositions("encoder", 65), "by must be a whole number from -64 to 64, not 65"),
        (ShiftPositions("encoder", 0.5), "by must be a whole number"),  # type: ignore[arg-type]
        (RepeatPosition("decoder", 64), "position must be a whole number from 0 to 63"),
    ],
)
def test_nonsense_is_refused_by_name(
    model: Transformer, wrong: PositionIntervention, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        prepare([wrong], model.config)


def test_an_edit_that_changes_nothing_translates_the_same(translator: Translator) -> None:
    text = "The animal was too tired."
    neutral = ScalePositions("encoder", 1.0), ShiftPositions("decoder", 0)
    edited, plain = translator.translate(text, interventions=neutral), translator.translate(text)
    assert edited.ids == plain.ids
    assert edited.log_prob == pytest.approx(plain.log_prob, abs=1e-4)


def test_translating_under_interventions_scores_as_the_edited_recording(
    translator: Translator,
) -> None:
    edits = ShufflePositions("encoder", 1), ShiftPositions("decoder", 4)
    text = "My sister works at the bank."
    translation = translator.translate(text, interventions=edits)
    logits = torch.tensor(translator.record(text, translation, edits).logits)
    log_probs = logits.log_softmax(-1)[: len(translation.ids)]
    picked = log_probs.argmax(-1)[: len(translation.ids)]
    assert picked.tolist() == list(translation.ids)


def test_a_query_with_nothing_to_look_at_stops_the_translation(translator: Translator) -> None:
    source = translator.source("The cat sleeps.")
    blocked = [BlockAttention("cross", 0, key) for key in range(len(source.ids))]
    edits = prepare(blocked, translator.config).edits
    with pytest.raises(ValueError, match="without any key"):
        EditedScorer(translator.model, source.ids, edits)(torch.tensor([[1]]))


def test_the_scorer_takes_several_prefixes_at_once(translator: Translator) -> None:
    source = translator.source("The cat sleeps.")
    scorer = translator.scorer(source, [ScalePositions("encoder", 0.5)])
    rows = torch.tensor([[1, 40, 41], [1, 50, 51]])
    with torch.inference_mode():
        together = scorer(rows)
        alone = torch.cat([scorer(row[None]) for row in rows])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-5)
