"""What the laboratory's controls do to the interventions, and what its panels measure."""

import numpy as np
import pytest
import torch

from model.interventions.base import Intervention
from model.interventions.heads import MODE_WORDS, MODES, AblateHead, Mode
from model.interventions.masks import BlockAttention, HideSource, LiftMask, PadSource
from model.interventions.scale import Unscale
from model.measures.importance import Importance
from model.recording.recording import Recording, record
from model.sites.sites import KINDS, Head, Kind
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from viz.components import two_texts
from viz.compute import effects
from viz.figures.labels import kind_names
from viz.figures.weights import sharpness, softmax
from viz.pages.lab import heads, masks, scores
from viz.pages.lab.difference import UNSEEN
from viz.pages.lab.head_board import Press
from viz.pages.lab.mask_board import Stroke
from viz.pages.lab.moved import most_moved
from viz.shell.intervention_words import said

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=3)
SOURCE, TARGET = ["▁The", "▁an", "imal", "</s>"], ["<s>", "▁a", "▁b"]
OTHER: tuple[Intervention, ...] = (LiftMask("cross"), PadSource(6))


def recorded(*interventions: Intervention) -> Recording:
    torch.manual_seed(0)
    model = Transformer(CONFIG).eval().requires_grad_(False)
    return record(model, (3, 4, 5, 2), (1, 6, 7), SOURCE, TARGET, interventions)


@pytest.mark.parametrize("mode", MODES)
def test_a_press_switches_off_and_the_next_one_on(mode: Mode) -> None:
    press = Press("cross", 2, 1)
    off = heads.toggle(OTHER, press, mode, CONFIG)
    assert off == (*OTHER, AblateHead("cross", 2, 1, mode))
    assert heads.toggle(off, press, mode, CONFIG) == OTHER


def test_another_mode_replaces_the_first() -> None:
    press = Press("cross", 2, 1)
    off = heads.toggle((), press, "zero", CONFIG)
    assert heads.toggle(off, press, "mean", CONFIG) == (AblateHead("cross", 2, 1, "mean"),)


def test_a_press_on_a_layer_or_a_kind_switches_all_its_heads() -> None:
    one = (AblateHead("decoder", 1, 0),)
    layer = heads.toggle(one, Press("decoder", 1, None), "zero", CONFIG)
    assert set(layer) == {AblateHead("decoder", 1, head) for head in range(2)}
    assert heads.toggle(layer, Press("decoder", 1, None), "zero", CONFIG) == ()
    assert len(heads.toggle((), Press("decoder", None, None), "zero", CONFIG)) == 6


def test_keeping_one_head_switches_off_all_others() -> None:
    kept = heads.keep_only(
        (*OTHER, AblateHead("cross", 0, 0)), Press("cross", 0, 0), "mean", CONFIG
    )
    off = [edit for edit in kept if isinstance(edit, AblateHead)]
    assert len(off) == 2 * 2 + 2 * 3 * 2 - 1
    assert AblateHead("cross", 0, 0, "mean") not in kept
    assert {edit.mode for edit in off} == {"mean"}
    assert kept[:2] == OTHER


def test_a_press_beyond_the_model_does_nothing() -> None:
    assert heads.toggle(OTHER, Press("encoder", 7, 0), "zero", CONFIG) == OTHER


def test_the_boards_show_what_is_off_and_how() -> None:
    boards = heads.boards([AblateHead("cross", 0, 1, "uniform"), *OTHER], CONFIG)
    assert [board.kind for board in boards] == list(KINDS)
    assert boards[2].off == [["", "="], ["", ""], ["", ""]]
    assert not any(sign for board in boards[:2] for row in board.off for sign in row)
    assert [board.title for board in boards] == [kind_names()[kind] for kind in KINDS]
    assert [len(board.off) for board in boards] == [2, 3, 3]
    assert all(board.values is None for board in boards)
    values: dict[Kind, np.ndarray] = {kind: np.zeros((3, 2)) for kind in KINDS}
    coloured = heads.boards([], CONFIG, values)
    assert all(board.values is values[board.kind] for board in coloured)


def test_the_boards_cross_out_the_heads_that_would_be_off() -> None:
    boards = heads.boards([], CONFIG, foreseen=[AblateHead("cross", 2, 1), *OTHER])
    assert [board.foreseen for board in boards] == [set(), set(), {(2, 1)}]
    assert not any(sign for board in boards for row in board.off for sign in row)


def test_words_are_hidden_and_shown_again() -> None:
    words = masks.words(SOURCE)
    assert [(word.text, word.span) for word in words] == [("The", (0, 0)), ("animal", (1, 2))]
    hidden = masks.hide_words(OTHER, words, [1])
    assert hidden == (*OTHER, HideSource(1, 2))
    assert masks.hidden_words(hidden, words) == [1]
    assert masks.hide_words(hidden, words, []) == OTHER


def test_masks_are_lifted_and_put_back_and_padding_is_replaced() -> None:
    lifted = masks.set_lifted(OTHER, ("encoder", "cross"), lifted=True)
    assert set(lifted) == {LiftMask("encoder"), *OTHER}
    assert masks.set_lifted(lifted, ("encoder", "cross"), lifted=False) == (PadSource(6),)
    assert masks.padding(masks.set_padding(OTHER, 9)) == 9
    assert masks.padding(masks.set_padding(OTHER, None)) is None
    assert masks.set_padding(OTHER, None) == (LiftMask("cross"),)


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


def test_scores_are_left_unscaled_in_exactly_the_kinds_asked_for() -> None:
    edits = scores.set_unscaled((Unscale("encoder"), *OTHER), ["cross", "decoder"])
    assert edits == (*OTHER, Unscale("decoder"), Unscale("cross"))
    assert scores.unscaled(edits) == ["decoder", "cross"]


def test_sharpness_of_even_and_of_single_minded_attention() -> None:
    even = sharpness(np.full((1, 1, 3, 4), 0.25, np.float32))
    assert even == (pytest.approx(np.log(4)), 0.25)
    assert sharpness(np.eye(3, dtype=np.float32)[None, None]) == (0.0, 1.0)
    rows = np.array([[[[0.75, 0.25, 0, 0], [0.25, 0.25, 0.25, 0.25]]]], np.float32)
    first = -0.75 * np.log(0.75) + 0.25 * np.log(4)
    assert sharpness(rows) == (pytest.approx((first + np.log(4)) / 2), pytest.approx(0.5))


def test_every_row_of_scores_is_a_distribution_by_itself() -> None:
    found = softmax(np.array([[1e4, 1e4 + np.log(3)], [0.0, -np.inf]]))
    np.testing.assert_allclose(found, [[0.25, 0.75], [1, 0]], rtol=1e-9)


def test_a_name_of_no_mode_means_zero() -> None:
    assert [heads.mode_of(mode) for mode in MODES] == list(MODES)
    assert heads.mode_of("half") == "zero"
    assert list(heads.mode_names()) == list(MODES)
    for name, shown in heads.mode_names().items():
        mode = heads.mode_of(name)
        assert shown == f"{heads.SIGNS[mode]}  {said(MODE_WORDS[mode])}"


def test_the_least_important_heads_are_recognised_and_changes_turned_over() -> None:
    falls: dict[Kind, np.ndarray] = {"cross": np.array([[0.5, -0.1], [0.0, 2.0]])}
    importance = Importance(-3.0, falls)
    off = importance.least(2, "mean")
    assert heads.least_off((*OTHER, *off), importance, "mean") == 2
    assert heads.least_off((*OTHER, *off), importance, "zero") == 0
    assert heads.least_off(off[1:], importance, "mean") == 0
    assert heads.least_off(OTHER, importance, "mean") == 0
    np.testing.assert_array_equal(heads.changes(importance)["cross"], [[-0.5, 0.1], [0, -2]])


def test_the_heads_that_moved_come_most_first_and_what_nobody_sees_is_left_out() -> None:
    cross = np.array([[0.2, UNSEEN], [UNSEEN / 2, 0.0]])
    found = most_moved({"encoder": np.array([[0.1, 0.4]]), "cross": cross})
    assert found == [
        (0.4, Head("encoder", 0, 1)),
        (0.2, Head("cross", 0, 0)),
        (0.1, Head("encoder", 0, 0)),
        (UNSEEN, Head("cross", 0, 1)),
    ]


def test_changed_words_are_marked_and_text_is_never_markup() -> None:
    before, after = two_texts.marked("il <b>dort</b> ici", "elle <b>dort</b> ici")
    assert before.count("<mark") == after.count("<mark") == 1
    assert ">il</mark>" in before
    assert ">elle</mark>" in after
    assert "&lt;b&gt;dort&lt;/b&gt;" in before
    assert "<b>" not in before + after
