"""Interventions together against the model written out by hand; one by one see `samples`."""

from dataclasses import replace

import numpy as np

from model.interventions.heads import AblateHead, Mode
from model.interventions.masks import BlockAttention, HideSource, LiftMask, PadSource
from model.interventions.positions import ScalePositions, ShiftPositions, shuffled
from model.sites.sites import Kind
from tests.model.interventions.samples import SOURCE, assert_same, encoding, plain


def test_the_untouched_model() -> None:
    assert_same(plain())


def test_heads_that_are_off_in_different_ways() -> None:
    off: dict[tuple[Kind, int, int], Mode] = {
        ("encoder", 0, 0): "mean",
        ("encoder", 0, 1): "uniform",
        ("cross", 1, 1): "zero",
        ("decoder", 0, 1): "mean",
    }
    assert_same(replace(plain(), off=off), *(AblateHead(*place, off[place]) for place in off))


def test_a_forbidden_link_of_a_head_with_uniform_attention() -> None:
    expected = replace(
        plain(),
        forbidden=frozenset({("cross", 0, 1, 2, 1)}),
        off={("cross", 0, 1): "uniform"},
    )
    link, head = BlockAttention("cross", 2, 1, 0, 1), AblateHead("cross", 0, 1, "uniform")
    assert_same(expected, link, head)
    assert_same(expected, head, link)


def test_a_hidden_word_stays_hidden_when_the_padding_mask_is_lifted() -> None:
    def sees(kind: Kind, query: int, key: int) -> bool:
        return key <= query if kind == "decoder" else key != 1

    expected = replace(plain(), sees=sees)
    hide, pad = HideSource(1, 1), PadSource(7)
    lifts = LiftMask("encoder"), LiftMask("cross")
    assert_same(expected, hide, pad, *lifts, source=(*SOURCE, 0, 0))


def test_the_mean_over_the_sentence_leaves_padding_out() -> None:
    expected = replace(plain(), off={("encoder", 0, 1): "mean"}, pieces=len(SOURCE))
    mean = AblateHead("encoder", 0, 1, "mean")
    assert_same(expected, PadSource(8), mean, source=(*SOURCE, 0, 0, 0))


def test_positions_shifted_then_scaled() -> None:
    def position(stack: str, place: int) -> np.ndarray:
        return encoding(place) if stack == "encoder" else encoding(place - 3) * 0.5

    expected = replace(plain(), position=position)
    shift, scale = ShiftPositions("decoder", -3), ScalePositions("decoder", 0.5)
    assert_same(expected, shift, scale)
    assert_same(expected, scale, shift)


def test_the_order_that_a_seed_draws_is_another_one() -> None:
    order = shuffled(len(SOURCE), 4).tolist()
    assert order != sorted(order)
