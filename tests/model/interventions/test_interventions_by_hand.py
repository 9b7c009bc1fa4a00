"""Each intervention against the model written out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from model.interventions.base import Intervention
from model.interventions.heads import MODES, AblateHead, Mode
from model.interventions.masks import BlockAttention, HideSource, LiftMask, PadSource
from model.interventions.positions import ScalePositions, ShiftPositions, ShufflePositions, shuffled
from model.interventions.scale import Unscale
from model.recording.recording import record
from model.sites.sites import KINDS, Kind
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from tests.model.interventions.by_hand import ByHand
from tests.model.uneven import uneven

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=2)
SOURCE, TARGET = (3, 4, 5, 6, 2), (1, 7, 8, 3)


@pytest.fixture(scope="module")
def tiny() -> Transformer:
    return uneven(CONFIG, seed=3)


def masks(kind: Kind, query: int, key: int) -> bool:
    return key <= query if kind == "decoder" else key < len(SOURCE)


@pytest.fixture(scope="module")
def plain(tiny: Transformer) -> ByHand:
    return ByHand(tiny, masks)


def assert_same(
    expected: ByHand, *interventions: Intervention, source: tuple[int, ...] = SOURCE
) -> None:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    logits = record(expected.model, SOURCE, TARGET, *names, interventions).logits
    np.testing.assert_allclose(logits, expected.logits(source, TARGET), atol=2e-5)
    untouched = ByHand(expected.model, masks).logits(SOURCE, TARGET)
    assert not interventions or not np.allclose(logits, untouched, atol=1e-3)


def test_the_untouched_model(plain: ByHand) -> None:
    assert_same(plain)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_head_that_is_off(plain: ByHand, kind: Kind, mode: Mode) -> None:
    assert_same(replace(plain, off={(kind, 1, 0): mode}), AblateHead(kind, 1, 0, mode))


def test_heads_that_are_off_in_different_ways(plain: ByHand) -> None:
    off: dict[tuple[Kind, int, int], Mode] = {
        ("encoder", 0, 0): "mean",
        ("encoder", 0, 1): "uniform",
        ("cross", 1, 1): "zero",
        ("decoder", 0, 1): "mean",
    }
    assert_same(replace(plain, off=off), *(AblateHead(*place, off[place]) for place in off))


def test_no_look_ahead_mask(plain: ByHand) -> None:
    def lifted(kind: Kind, query: int, key: int) -> bool:
        return kind == "decoder" or masks(kind, query, key)

    assert_same(replace(plain, sees=lifted), LiftMask("decoder"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_forbidden_link(plain: ByHand, kind: Kind) -> None:
    assert_same(
        replace(plain, forbidden=frozenset({(kind, 0, 1, 2, 1)})),
        BlockAttention(kind, 2, 1, layer=0, head=1),
    )
    everywhere = frozenset((kind, n, h, 2, 1) for n in range(2) for h in range(2))
    assert_same(replace(plain, forbidden=everywhere), BlockAttention(kind, 2, 1))


def test_a_forbidden_link_of_a_head_with_uniform_attention(plain: ByHand) -> None:
    expected = replace(
        plain,
        forbidden=frozenset({("cross", 0, 1, 2, 1)}),
        off={("cross", 0, 1): "uniform"},
    )
    link, head = BlockAttention("cross", 2, 1, 0, 1), AblateHead("cross", 0, 1, "uniform")
    assert_same(expected, link, head)
    assert_same(expected, head, link)


def test_words_taken_out(plain: ByHand) -> None:
    def hidden(kind: Kind, query: int, key: int) -> bool:
        return masks(kind, query, key) and (kind == "decoder" or key not in (1, 2))

    assert_same(replace(plain, sees=hidden), HideSource(1, 2))


def test_padding_that_is_looked_at(plain: ByHand) -> None:
    def unmasked(kind: Kind, query: int, key: int) -> bool:
        return kind != "decoder" or masks(kind, query, key)

    source = (*SOURCE, 0, 0, 0)
    lifted = (PadSource(8), LiftMask("encoder"), LiftMask("cross"))
    assert_same(replace(plain, sees=unmasked), *lifted, source=source)


def test_a_hidden_word_stays_hidden_when_the_padding_mask_is_lifted(plain: ByHand) -> None:
    def sees(kind: Kind, query: int, key: int) -> bool:
        return key <= query if kind == "decoder" else key != 1

    expected = replace(plain, sees=sees)
    hide, pad = HideSource(1, 1), PadSource(7)
    lifts = LiftMask("encoder"), LiftMask("cross")
    assert_same(expected, hide, pad, *lifts, source=(*SOURCE, 0, 0))


def test_the_mean_over_the_sentence_leaves_padding_out(plain: ByHand) -> None:
    expected = replace(plain, off={("encoder", 0, 1): "mean"}, pieces=len(SOURCE))
    mean = AblateHead("encoder", 0, 1, "mean")
    assert_same(expected, PadSource(8), mean, source=(*SOURCE, 0, 0, 0))


@pytest.mark.parametrize("kind", KINDS)
def test_scores_without_the_root_of_d_k(plain: ByHand, kind: Kind) -> None:
    scaled: list[Kind] = [other for other in KINDS if other != kind]
    assert_same(replace(plain, scaled=tuple(scaled)), Unscale(kind))


def table(place: int) -> np.ndarray:
    angles = place / 10000 ** (np.arange(0, 8, 2) / 8)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()


def test_positions_zeroed(plain: ByHand) -> None:
    def position(stack: str, place: int) -> np.ndarray:
        return table(place) * (stack == "decoder")

    assert_same(replace(plain, position=position), ScalePositions("encoder", 0))


def test_positions_shifted_then_scaled(plain: ByHand) -> None:
    def position(stack: str, place: int) -> np.ndarray:
        return table(place) if stack == "encoder" else table(place - 3) * 0.5

    expected = replace(plain, position=position)
    shift, scale = ShiftPositions("decoder", -3), ScalePositions("decoder", 0.5)
    assert_same(expected, shift, scale)
    assert_same(expected, scale, shift)


def test_positions_shuffled(plain: ByHand) -> None:
    order = shuffled(len(SOURCE), 4).tolist()
    assert order != sorted(order)

    def position(stack: str, place: int) -> np.ndarray:
        return table(order[place]) if stack == "encoder" else table(place)

    assert_same(replace(plain, position=position), ShufflePositions("encoder", 4))
