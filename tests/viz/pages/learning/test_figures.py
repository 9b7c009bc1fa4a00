import math

import numpy as np
import pytest

from tests.viz.drawn import layout, traces
from viz.figures.theme import DARK, LIGHT
from viz.pages.learning import formulas
from viz.pages.learning.descent_figures import (
    ZERO,
    block_name,
    gradient_figure,
    loss_figure,
    update_figure,
)
from viz.pages.learning.figures import Mark, floor_figure, target_figure
from viz.pages.learning.rate_figures import draws_figure, schedule_figure

BLOCKS = ("embedding", "encoder.0.self_attn", "decoder.11.cross_attn", "decoder.0.ffn")


def test_a_rows_target_stands_beside_what_the_model_says() -> None:
    figure = target_figure(["▁a", "<b>"], np.array([0.7, 0.1]), np.array([0.9, 1e-5]), LIGHT)
    model, target = traces(figure)
    assert model.x.tolist() == [0.7, 0.1]
    assert target.x.tolist() == [0.9, 1e-5]
    assert layout(figure).yaxis.ticktext == ("·a", "&lt;b&gt;")
    assert [(line.x0, line.x1) for line in layout(figure).shapes] == [(0.7, 0.9), (0.1, 1e-5)]


def test_a_share_of_nothing_is_not_drawn() -> None:
    figure = target_figure(["a", "b"], np.array([0.7, 0.1]), np.array([1.0, 0.0]), DARK)
    assert traces(figure)[1].x.tolist() == [1.0]
    assert len(layout(figure).shapes) == 1
    with pytest.raises(ValueError, match="1 tokens, 2 and 2 numbers"):
        target_figure(["a"], np.ones(2), np.ones(2), DARK)


def test_the_floor_lies_under_the_loss_and_the_runs_marks_stand_on_their_smoothing() -> None:
    epsilons = np.array([0, 0.2, 0.4])
    marks = [Mark(0.1, 1.7, "train"), Mark(0.0, 0.8, "dev")]
    figure = floor_figure(epsilons, epsilons, epsilons + 1, 0.1, marks, LIGHT)
    floor, loss, train, dev = traces(figure)
    assert (np.array(floor.y) < np.array(loss.y)).all()
    assert (train.x, train.y) == ((0.1,), (1.7,))
    assert (dev.x, dev.y) == ((0.0,), (0.8,))
    assert layout(figure).shapes[0].x0 == 0.1


def test_dots_change_colour_with_the_translation_and_the_chosen_is_filled() -> None:
    figure = loss_figure([3, 2, 1], ["a", "a", "b"], 1, 1.2, LIGHT)
    (line,) = traces(figure)
    edges = line.marker.line.color
    assert edges[0] == edges[1] != edges[2]
    assert line.marker.color == (LIGHT.background, edges[1], LIGHT.background)
    assert layout(figure).shapes[0].y0 == 1.2


def test_a_gradient_of_zero_is_drawn_open_on_the_floor() -> None:
    norms, bare = np.array([1.0, 2, 3, 4]), np.array([5.0, 0, 1e-20, 6])
    figure = gradient_figure(BLOCKS, norms, bare, LIGHT)
    with_, without = traces(figure)
    assert with_.y.tolist() == [1, 2, 3, 4]
    assert without.y.tolist() == [5, ZERO, 1e-20, 6]
    assert without.marker.symbol == ("diamond", "diamond-open", "diamond", "diamond")
    assert layout(figure).yaxis.ticktext[0] == "0"
    assert "\u2212" in layout(figure).yaxis.ticktext[1]
    with pytest.raises(ValueError, match="4 blocks, 3 and 4 norms"):
        gradient_figure(BLOCKS, norms[:3], bare, LIGHT)


def test_gradients_of_usual_size_get_an_axis_of_their_size() -> None:
    figure = gradient_figure(BLOCKS, np.ones(4), np.ones(4), LIGHT)
    assert layout(figure).yaxis.range[0] > -5
    assert "0" not in layout(figure).yaxis.ticktext


def test_blocks_are_named_from_1() -> None:
    names = [block_name(block) for block in BLOCKS]
    assert names == ["embedding", "encoder 1 self", "decoder 12 cross", "decoder 1 feed-forward"]
    assert list(traces(update_figure(BLOCKS, np.ones(4), DARK))[0].x) == names


def test_the_run_stands_beside_the_paper() -> None:
    paper = np.array([1e-4, 2e-4, 1.5e-4])
    figure = schedule_figure(paper, [1, 3], [0.1, 0.2], LIGHT)
    assert traces(figure)[0].x.tolist() == [1, 2, 3]
    assert traces(figure)[1].y == (0.1, 0.2)
    assert len(traces(schedule_figure(paper, [], [], LIGHT))) == 1


def test_dropped_values_are_holes() -> None:
    inputs = np.array([[1.0, -2, 3], [0, -2.2, 3.3]])
    figure = draws_figure(inputs, ["without", "draw"], LIGHT)
    (strips,) = traces(figure)
    assert strips.y == ("draw", "without")
    assert np.isnan(strips.z[0]).tolist() == [True, False, False]
    assert (strips.zmin, strips.zmax) == (-3, 3)
    with pytest.raises(ValueError, match="1 names for 2 vectors"):
        draws_figure(inputs, ["one"], LIGHT)


def test_formulas_hold_the_numbers() -> None:
    assert r"1.25\cdot 10^{-5}" in formulas.smoothed_target(0.1, 8000, 0.9000125, 1.25e-5)
    mean = 11.0
    smoothed = 0.9 * 2 + 0.1 * mean
    assert r"0.90\cdot 2.00 + 0.10\cdot 11.00 = 2.90" in formulas.row_loss(3, 0.1, 2.0, smoothed)
    assert formulas.row_loss(3, 0.0, 2.0, 2.0).endswith("= 2.00")
    assert "0.0097" in formulas.step(0.1, 10.35, 1.0, 4.0, 3.0)
    assert "0.1000" in formulas.step(0.1, 0.5, 1.0, 4.0, 3.0)
    peak = 1 / math.sqrt(512 * 4000)
    assert formulas.number(peak) == r"6.99\cdot 10^{-4}"
    assert formulas.number(peak) in formulas.schedule(512, 4000)
    assert "1.111" in formulas.dropout(0.1)
    assert formulas.floor(0.0, 0.0) == "H(q) = 0"
    assert "1.224" in formulas.floor(0.1, 1.2237)
    assert formulas.whole_loss(17, 4.16731).endswith("4.1673")
    assert r"10^{-3}" in formulas.runs_step(0.001, 1.0, 2.0, 1.0)
