"""What a press on the board of blocks does, and how the board shows what is left out."""

import numpy as np
import pytest

from model.interventions.base import Intervention
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
)
from model.interventions.masks import LiftMask
from model.transformer.config import ModelConfig
from viz.components.head_board import Press
from viz.pages.lab_blocks import blocks

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=3)
OTHER: tuple[Intervention, ...] = (LiftMask("cross"),)


@pytest.mark.parametrize(
    ("press", "gone"),
    [
        (Press("encoder", 1, 0), LeaveOutSublayer("encoder", 1, "self_attn")),
        (Press("encoder", 0, 5), LeaveOutNorm("encoder", 0, "ffn")),
        (Press("decoder", 2, 4), LeaveOutResidual("decoder", 2, "cross_attn")),
        (Press("decoder", 2, None), SkipLayer("decoder", 2)),
    ],
)
def test_a_press_leaves_out_and_the_next_one_puts_back(press: Press, gone: Intervention) -> None:
    changed = blocks.toggle(OTHER, press, CONFIG)
    assert changed == (*OTHER, gone)
    assert blocks.toggle(changed, press, CONFIG) == OTHER


@pytest.mark.parametrize(
    "press",
    [
        Press("encoder", 2, 0),
        Press("encoder", 0, 6),
        Press("cross", 0, 0),
        Press("decoder", None, None),
    ],
)
def test_a_press_on_what_is_not_there_does_nothing(press: Press) -> None:
    assert blocks.toggle(OTHER, press, CONFIG) == OTHER


def test_a_part_is_named_as_its_cell() -> None:
    part = LeaveOutNorm("decoder", 1, "ffn")
    assert blocks.part_name(part) == "decoder, layer 2, norm after feed-forward"


def test_the_board_marks_what_is_left_out_and_all_of_a_skipped_layer() -> None:
    changed = [SkipLayer("encoder", 1), LeaveOutNorm("decoder", 0, "cross_attn")]
    encoder, decoder = blocks.boards(changed, CONFIG)
    assert [sum(map(bool, row)) for row in encoder.off] == [0, 6]
    assert [[at for at, sign in enumerate(row) if sign] for row in decoder.off] == [[5], [], []]
    assert [short for _, _, short in decoder.columns] == [
        "attn",
        "+x",
        "LN",
        "cross",
        "+x",
        "LN",
        "FFN",
        "+x",
        "LN",
    ]


def test_each_part_has_its_mean_over_both_boards() -> None:
    cells = blocks.all_cells(CONFIG)
    values = np.array([float(isinstance(cell, LeaveOutNorm)) for cell in cells])
    values[0] = 26.0
    assert blocks.means(values) == [2.0, 0.0, 1.0]


def test_numbers_stand_on_the_cells_that_they_were_measured_of() -> None:
    cells = blocks.all_cells(CONFIG)
    laid = blocks.by_stack(np.arange(len(cells), dtype=np.float64), CONFIG)
    assert {stack: values.shape for stack, values in laid.items()} == {
        "encoder": (2, 6),
        "decoder": (3, 9),
    }
    place = cells.index(LeaveOutResidual("decoder", 1, "ffn"))
    assert laid["decoder"][1, 7] == place
