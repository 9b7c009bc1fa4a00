"""Blocks left out, against the model written out by hand, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from model.interventions.base import Intervention, Lengths
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
    SublayerIntervention,
    ZeroUnit,
    left_out,
)
from model.interventions.fitting import fitting
from model.interventions.heads import AblateHead
from model.interventions.prepare import prepare
from model.recording.recording import record
from model.sites.sites import STACKS, SUBLAYERS, Stack, Sublayer
from model.transformer.config import ModelConfig
from model.translator import Translator
from tests.model.interventions.by_hand import ByHand
from tests.model.uneven import uneven

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=2)
SOURCE, TARGET = (3, 4, 5, 6, 2), (1, 7, 8, 3)
PLACES: list[tuple[Stack, Sublayer]] = [
    (stack, one) for stack in STACKS for one in SUBLAYERS[stack]
]
WORDS: dict[type[SublayerIntervention], str] = {
    LeaveOutSublayer: "sublayer",
    LeaveOutResidual: "residual",
    LeaveOutNorm: "norm",
}


@pytest.fixture(scope="module")
def plain() -> ByHand:
    model = uneven(CONFIG, seed=3, norms=True)
    return ByHand(model, lambda kind, q, k: k <= q if kind == "decoder" else k < len(SOURCE))


def assert_same(expected: ByHand, *interventions: Intervention) -> None:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    logits = record(expected.model, SOURCE, TARGET, *names, interventions).logits
    np.testing.assert_allclose(logits, expected.logits(SOURCE, TARGET), atol=1e-4)
    untouched = replace(expected, without=frozenset(), zeroed={}).logits(SOURCE, TARGET)
    assert not np.allclose(logits, untouched, atol=1e-3)


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize(("stack", "sublayer"), PLACES)
def test_a_part_of_a_sublayer_left_out(
    plain: ByHand, kind: type[SublayerIntervention], stack: Stack, sublayer: Sublayer
) -> None:
    number = SUBLAYERS[stack].index(sublayer) + 1
    without = f"{WORDS[kind]} {stack}.layers.1.{number}"
    expected = replace(plain, without=frozenset({without}))
    assert_same(expected, kind(stack, 1, sublayer))


@pytest.mark.parametrize("stack", STACKS)
def test_a_layer_skipped(plain: ByHand, stack: Stack) -> None:
    expected = replace(plain, without=frozenset({f"layer {stack}.layers.0"}))
    assert_same(expected, SkipLayer(stack, 0))
    # What is left out of a skipped layer changes nothing more.
    assert_same(expected, SkipLayer(stack, 0), LeaveOutNorm(stack, 0, "ffn"))


@pytest.mark.parametrize("stack", STACKS)
def test_units_set_to_zero(plain: ByHand, stack: Stack) -> None:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    hidden = record(plain.model, SOURCE, TARGET, *names)[f"{stack}.0.ffn.hidden"]
    first, second = (int(unit) for unit in hidden.sum(axis=0).argsort()[-2:])
    expected = replace(plain, zeroed={f"{stack}.layers.0.ffn": (first, second)})
    assert_same(expected, ZeroUnit(stack, 0, first), ZeroUnit(stack, 0, second))


def test_several_blocks_at_once(plain: ByHand) -> None:
    without = {"residual encoder.layers.0.1", "norm encoder.layers.0.1", "norm decoder.layers.1.2"}
    assert_same(
        replace(plain, without=frozenset(without)),
        LeaveOutNorm("decoder", 1, "cross_attn"),
        LeaveOutNorm("encoder", 0, "self_attn"),
        LeaveOutResidual("encoder", 0, "self_attn"),
    )


def test_a_sublayer_that_is_left_out_hides_what_happens_inside(plain: ByHand) -> None:
    expected = replace(plain, without=frozenset({"sublayer encoder.layers.0.1"}))
    inside = AblateHead("encoder", 0, 1)
    assert_same(expected, LeaveOutSublayer("encoder", 0, "self_attn"), inside)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (LeaveOutNorm("encoder", 2, "ffn"), "layer must be 0 to 1, not 2"),
        (LeaveOutSublayer("encoder", 0, "cross_attn"), "sublayer of the encoder"),
        (SkipLayer("middle", 0), "stack must be one of encoder, decoder"),  # pyright: ignore
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
