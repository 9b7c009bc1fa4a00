"""Blocks left out, against the model written out by hand, and what is refused."""

from dataclasses import replace

import pytest

from model.interventions.base import Intervention, Lengths
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutReLU,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
    ZeroUnit,
    left_out,
)
from model.interventions.fitting import fitting
from model.interventions.heads import AblateHead
from model.interventions.prepare import prepare
from model.sites.sites import STACKS, Stack
from model.translator import Translator
from tests.model.interventions.samples import CONFIG, assert_same, plain, recorded


@pytest.mark.parametrize("stack", STACKS)
def test_what_is_left_out_of_a_skipped_layer_changes_nothing_more(stack: Stack) -> None:
    expected = replace(plain(), without=frozenset({f"layer {stack}.layers.0"}))
    assert_same(expected, SkipLayer(stack, 0), LeaveOutNorm(stack, 0, "ffn"))


@pytest.mark.parametrize("stack", STACKS)
def test_units_set_to_zero(stack: Stack) -> None:
    hidden = recorded()[f"{stack}.0.ffn.hidden"]
    first, second = (int(unit) for unit in hidden.sum(axis=0).argsort()[-2:])
    expected = replace(plain(), zeroed={f"{stack}.layers.0.ffn": (first, second)})
    assert_same(expected, ZeroUnit(stack, 0, first), ZeroUnit(stack, 0, second))


@pytest.mark.parametrize("stack", STACKS)
def test_a_unit_set_to_zero_stays_zero_without_relu(stack: Stack) -> None:
    name = f"{stack}.layers.0.ffn"
    expected = replace(plain(), linear_only=frozenset({name}), zeroed={name: (1,)})
    assert_same(expected, ZeroUnit(stack, 0, 1), LeaveOutReLU(stack, 0))


def test_a_model_without_relu_has_none_to_leave_out() -> None:
    other = replace(CONFIG, variant=replace(CONFIG.variant, activation="swish"))
    with pytest.raises(ValueError, match="swish in place of ReLU"):
        prepare([LeaveOutReLU("encoder", 0)], other)


def test_several_blocks_at_once() -> None:
    without = {"residual encoder.layers.0.1", "norm encoder.layers.0.1", "norm decoder.layers.1.2"}
    assert_same(
        replace(plain(), without=frozenset(without)),
        LeaveOutNorm("decoder", 1, "cross_attn"),
        LeaveOutNorm("encoder", 0, "self_attn"),
        LeaveOutResidual("encoder", 0, "self_attn"),
    )


def test_a_sublayer_that_is_left_out_hides_what_happens_inside() -> None:
    expected = replace(plain(), without=frozenset({"sublayer encoder.layers.0.1"}))
    inside = AblateHead("encoder", 0, 1)
    assert_same(expected, LeaveOutSublayer("encoder", 0, "self_attn"), inside)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (LeaveOutNorm("encoder", 2, "ffn"), "layer must be 0 to 1, not 2"),
        (LeaveOutReLU("encoder", 2), "layer must be 0 to 1, not 2"),
        (ZeroUnit("decoder", 1, 6), "unit must be 0 to 5, not 6"),
        (ZeroUnit("decoder", -1, 0), "layer must be 0 to 1, not -1"),
    ],
)
def test_what_a_model_does_not_have_is_refused(wrong: Intervention, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        prepare([wrong], CONFIG, Lengths(5, 4))
    fine = SkipLayer("encoder", 1)
    assert fitting([wrong, fine], CONFIG, Lengths(5, 4)) == ((fine,), (wrong,))


def test_the_sites_say_what_is_left_out() -> None:
    changed = [
        SkipLayer("encoder", 1),
        LeaveOutResidual("decoder", 0, "ffn"),
        ZeroUnit("decoder", 1, 2),
    ]
    skipped = {"self_attn.out", "norm1", "ffn.out", "norm2"}
    assert left_out(changed) == {f"encoder.1.{name}" for name in skipped} | {"decoder.0.sum3"}


def test_translating_step_by_step_agrees_with_the_recording(translator: Translator) -> None:
    changed = [SkipLayer("decoder", 1), LeaveOutResidual("encoder", 0, "ffn")]
    found = translator.translate("The cat sleeps.", interventions=changed)
    recording = translator.record("The cat sleeps.", found, changed)
    assert tuple(recording.logits.argmax(axis=1)[: len(found.ids)]) == found.ids
