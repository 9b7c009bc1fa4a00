"""What the controls of masks do to the interventions, and what the page measures."""

import numpy as np
import pytest
import torch

from model.interventions.base import Intervention
from model.interventions.masks import BlockAttention, HideSource, InvertMask, LiftMask, PadSource
from model.recording.recording import Recording, record
from model.sites.sites import Head
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from viz.compute import effects
from viz.pages.lab_masks import masks
from viz.pages.lab_masks.mask_board import Stroke

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=3)
SOURCE, TARGET = ["▁The", "▁an", "imal", "</s>"], ["<s>", "▁a", "▁b"]
OTHER: tuple[Intervention, ...] = (LiftMask("cross"), PadSource(6))


def recorded(*interventions: Intervention) -> Recording:
    torch.manual_seed(0)
    model = Transformer(CONFIG).eval().requires_grad_(False)
    return record(model, (3, 4, 5, 2), (1, 6, 7), SOURCE, TARGET, interventions)


def test_the_hidden_words_are_those_of_the_interventions() -> None:
    words = masks.words(SOURCE)
    assert [(word.text, word.span) for word in words] == [("The", (0, 0)), ("animal", (1, 2))]
    assert masks.hidden_words((*OTHER, HideSource(1, 2)), words) == [1]
    assert masks.hidden_words(OTHER, words) == []


@pytest.mark.parametrize(
    ("scope", "layer", "head"), [("head", 1, 0), ("layer", 1, None), ("all", None, None)]
)
def test_a_stroke_forbids_links_in_its_scope_and_another_allows_them(
    scope: str, layer: int | None, head: int | None
) -> None:
    view = Head("cross", 1, 0)
    drawn = masks.draw(OTHER, Stroke(True, ((0, 1), (2, 3))), view, scope)
    expected = [BlockAttention("cross", *cell, layer, head) for cell in ((0, 1), (2, 3))]
    assert drawn == (*OTHER, *expected)
    links = masks.links_of(recorded(*drawn), view, drawn)
    assert np.argwhere(links.forbidden).tolist() == [[0, 1], [2, 3]]
    assert not links.weights[links.forbidden].any()
    other_head = masks.links_of(recorded(*drawn), Head("cross", 1, 1), drawn)
    assert other_head.forbidden.any() == (head is None)
    assert masks.draw(drawn, Stroke(False, ((0, 1), (2, 3))), view, "head") == OTHER


@pytest.mark.parametrize("chosen", ["trained", "lifted", "inverted"])
def test_one_thing_is_done_with_the_look_ahead_mask(chosen: masks.LookAhead) -> None:
    for now in (OTHER, (*OTHER, LiftMask("decoder")), (InvertMask(), *OTHER)):
        then = masks.with_look_ahead(now, chosen)
        assert masks.look_ahead(then) == chosen
        assert masks.with_look_ahead(then, "trained") == OTHER


def test_the_look_ahead_mask_is_shown_as_masked() -> None:
    links = masks.links_of(recorded(), Head("decoder", 0, 0), ())
    np.testing.assert_array_equal(links.masked, ~np.tri(3, dtype=np.bool_))
    assert not links.forbidden.any()
    assert (links.kind, links.queries, links.keys) == ("decoder", TARGET, TARGET)
    cross = masks.links_of(recorded(), Head("cross", 0, 0), ())
    assert (cross.kind, cross.queries, cross.keys) == ("cross", TARGET, SOURCE)


def test_links_of_pieces_that_are_not_there_yet_are_left_out() -> None:
    """An edit may name pieces of a longer sentence."""
    beyond = [BlockAttention("cross", 3, 0), BlockAttention("cross", 0, 4)]
    links = masks.links_of(recorded(), Head("cross", 0, 0), beyond)
    assert not links.forbidden.any()


def test_a_target_of_one_piece_has_no_future() -> None:
    torch.manual_seed(0)
    model = Transformer(CONFIG).eval().requires_grad_(False)
    alone = record(model, (3, 4, 5, 2), (1,), SOURCE, ["<s>"])
    np.testing.assert_array_equal(effects.on_future(alone), np.zeros((3, 2)))


def test_attention_to_the_future_is_counted_once_the_mask_is_lifted() -> None:
    assert not effects.on_future(recorded()).any()
    lifted = recorded(LiftMask("decoder"))
    weights = lifted.attention("decoder")
    expected = (weights[:, :, 0, 1] + weights[:, :, 0, 2] + weights[:, :, 1, 2]) / 2
    np.testing.assert_allclose(effects.on_future(lifted), expected, rtol=1e-6)


def test_attention_to_padding_counts_real_queries_only() -> None:
    assert not masks.on_padding(recorded(PadSource(6)), "encoder", 4).any()
    lifted = recorded(PadSource(6), LiftMask("encoder"), LiftMask("cross"))
    weights = lifted.attention("encoder")
    expected = weights[:, :, :4, 4:].sum(axis=(2, 3)) / 4
    np.testing.assert_allclose(masks.on_padding(lifted, "encoder", 4), expected, rtol=1e-6)
    cross = lifted.attention("cross")[..., 4:].sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(masks.on_padding(lifted, "cross", 4), cross, rtol=1e-6)
    most = lifted.attention("cross")[..., 2:].sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(masks.on_padding(lifted, "cross", 2), most, rtol=1e-6)
