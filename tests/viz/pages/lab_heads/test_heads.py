"""What a press on the board of heads does, and how the board shows what is off."""

import numpy as np
import pytest

from model.interventions.base import Intervention
from model.interventions.blocks import SkipLayer
from model.interventions.heads import MODE_WORDS, MODES, AblateHead, Mode
from model.interventions.masks import LiftMask, PadSource
from model.measures.importance import Importance
from model.sites.sites import KINDS, Kind
from model.transformer.config import ModelConfig
from viz.components.head_board import Press
from viz.figures.labels import kind_names
from viz.pages.lab_heads import heads
from viz.shell.intervention_words import said

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=3)
OTHER: tuple[Intervention, ...] = (LiftMask("cross"), PadSource(6))


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


def test_the_boards_mark_the_heads_of_a_layer_that_is_skipped() -> None:
    boards = heads.boards([SkipLayer("decoder", 1)], CONFIG)
    off = [
        [(row, sign) for row, signs in enumerate(b.off) for sign in signs if sign] for b in boards
    ]
    assert off == [[], [(1, "✕")] * 2, [(1, "✕")] * 2]


def test_what_is_off_is_off_in_another_mode_and_nothing_else_changes() -> None:
    off = heads.toggle(OTHER, Press("cross", 2, None), "zero", CONFIG)
    assert heads.in_mode(off, "mean") == heads.toggle(
        OTHER, Press("cross", 2, None), "mean", CONFIG
    )


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
