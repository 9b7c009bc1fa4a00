"""A window mask: its sizes and pairs, what it cuts off, and how it is drawn."""

import numpy as np
import pytest
import torch

from model.interventions.base import Intervention
from model.interventions.masks import LiftMask, Window
from model.recording.recording import Recording, record
from model.sites.sites import STACKS, Stack, mask_site
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from tests.viz.drawn import layout, traces
from viz.figures.letters import for_stage
from viz.figures.theme import LIGHT
from viz.pages.lab_masks import windows
from viz.pages.lab_masks.window_figures import sizes_figure, window_heatmap
from viz.pages.lab_masks.window_panel import SHARE

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=3)
SOURCE, TARGET = ["▁a", "▁b", "▁c", "▁d", "</s>"], ["<s>", "▁e", "▁f"]


def recorded(*interventions: Intervention) -> Recording:
    torch.manual_seed(0)
    model = Transformer(CONFIG).eval().requires_grad_(False)
    return record(model, (3, 4, 5, 6, 2), (1, 6, 7), SOURCE, TARGET, interventions)


@pytest.mark.parametrize(
    ("pieces", "sizes"), [(1, [1]), (2, [1, 3]), (4, [1, 3, 5, 7]), (7, [1, 3, 5, 7, 9, 13])]
)
def test_the_last_window_is_the_first_that_hides_nothing(pieces: int, sizes: list[int]) -> None:
    assert windows.sizes(pieces) == sizes
    assert windows.inside(pieces, sizes[-1]).all()
    assert pieces == 1 or not windows.inside(pieces, sizes[-1] - 2).all()


def test_the_smallest_window_of_a_stack_counts() -> None:
    others = (LiftMask("decoder"), Window("decoder", 5), Window("decoder", 7))
    both = (*others, Window("encoder", 3))
    assert [windows.size_of(both, stack, 9) for stack in STACKS] == [3, 5]
    assert windows.size_of(others, "encoder", 9) == 17


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("size", [1, 3, 5])
def test_as_many_pairs_are_counted_as_the_model_sees(stack: Stack, size: int) -> None:
    before, after = recorded(), recorded(Window(stack, size))
    assert windows.pairs(before[mask_site(stack)], size) == after[mask_site(stack)].sum()
    assert windows.largest_error(before, after, stack, size) < 1e-6
    other = recorded(Window(stack, size + 2 if size < 5 else 1))
    assert windows.largest_error(before, other, stack, size) > 1e-4


def test_what_goes_beyond_a_window_is_counted_from_the_weights() -> None:
    weights = np.array([[0.5, 0.25, 0.25], [0.2, 0.6, 0.2], [0.9, 0.1, 0.0]])[None]
    assert windows.cut_off(weights, 5) == 0
    assert windows.cut_off(weights, 3) == pytest.approx((0.25 + 0.9) / 3)
    assert windows.cut_off(weights, 1) == pytest.approx((0.5 + 0.4 + 1) / 3)


def test_the_lines_part_what_is_inside_from_what_is_not() -> None:
    weights = np.full((4, 4), 0.25, np.float32)
    heat, before, behind = traces(window_heatmap(weights, SOURCE[:4], 3, "t", LIGHT))
    np.testing.assert_array_equal(heat.z, weights)
    inside = windows.inside(4, 3)
    for row in range(4):
        starts = [x for x, y in zip(before.x[::2], before.y[::2], strict=True) if y == row - 0.5]
        ends = [x for x, y in zip(behind.x[::2], behind.y[::2], strict=True) if y == row - 0.5]
        first, last = (starts or [-0.5])[0], (ends or [3.5])[0]
        assert [first < key < last for key in range(4)] == inside[row].tolist()


def test_all_pieces_of_a_sentence_are_named_on_stage() -> None:
    pieces = [f"\u2581word{number}" for number in range(17)]
    weights = np.full((17, 17), 1 / 17, np.float32)
    figure = for_stage(window_heatmap(weights, pieces, 3, "t", LIGHT), SHARE)
    axes = layout(figure).xaxis, layout(figure).yaxis
    assert [len(axis.ticktext) for axis in axes] == [17, 17]
    assert axes[0].tickangle == -90


def test_each_stack_has_a_line_for_what_it_breaks_and_one_for_what_it_costs() -> None:
    figure = sizes_figure(
        ["1", "3", "all"],
        {"encoder": np.array([-9.0, -2.0, -1.0]), "decoder": np.array([-8.0, -3.0, -1.0])},
        {"encoder": [5, 13, 25], "decoder": [3, 5, 6]},
        {"encoder": 1, "decoder": 2},
        LIGHT,
    )
    lines = traces(figure)
    assert [list(line.y) for line in lines] == [[-9, -2, -1], [5, 13, 25], [-8, -3, -1], [3, 5, 6]]
    assert [list(line.marker.size) for line in lines[::2]] == [[7, 13, 7], [7, 7, 13]]
    assert list(layout(figure).xaxis.ticktext) == ["1", "3", "all"]
    assert lines[0].text[0] == "\u22129.00"
