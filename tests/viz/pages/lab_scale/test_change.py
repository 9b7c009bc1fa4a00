"""Changed positions: the picture of both sides, and the formulas."""

import numpy as np
import pytest

from model.interventions.positions import (
    HoldPosition,
    PositionIntervention,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.transformer.config import ModelConfig
from tests.viz.drawn import layout, traces
from viz.figures.theme import LIGHT
from viz.pages.lab_scale import formulas
from viz.pages.lab_scale.change import change_figure
from viz.pages.lab_scale.positions import Choice, Positions, changes, choice_names, numbers


def test_attention_without_and_with_stands_side_by_side() -> None:
    before, after = np.eye(2, 3), np.full((2, 3), 1 / 3)
    figure = change_figure((before, after), ("a", "b"), ["q", "r"], ["k", "l", "m"], LIGHT)
    np.testing.assert_array_equal(traces(figure)[0].z, before)
    np.testing.assert_array_equal(traces(figure)[1].z, after)
    assert layout(figure).yaxis.title.text.startswith("query")
    assert layout(figure).xaxis2.title.text.startswith("key")
    assert (layout(figure).coloraxis.cmin, layout(figure).coloraxis.cmax) == (0, 1)
    with pytest.raises(ValueError, match="do not fit 2 x 2 tokens"):
        change_figure((before, after), ("a", "b"), ["q", "r"], ["k", "l"], LIGHT)


@pytest.mark.parametrize(
    ("change", "written"),
    [
        (ScalePositions("encoder", 0.5), r"= 0.5\; PE(i)"),
        (ShufflePositions("decoder", 1), r"PE(\pi(i))"),
        (ShiftPositions("encoder", -3), "PE(i -3)"),
        (ShiftPositions("encoder", 3), "PE(i +3)"),
        (RepeatPosition("encoder", 2), "PE'(3) = PE(2)"),
        (HoldPosition("encoder"), "PE'(i) = PE(0)"),
    ],
)
def test_a_change_is_written_with_its_amount(change: PositionIntervention, written: str) -> None:
    assert written in formulas.changed(change)


@pytest.mark.parametrize("choice", [one for one in choice_names() if one != "trained"])
def test_every_change_that_the_page_offers_has_a_formula(choice: Choice) -> None:
    known = numbers(ModelConfig())
    number = known[choice].first if choice in known else 1
    (change,) = changes("encoder", Positions(choice, number))
    assert isinstance(change, PositionIntervention)
    assert "PE'" in formulas.changed(change)


def test_probabilities_are_compared_by_their_ratio() -> None:
    assert formulas.log_probs(-1, -1 - np.log(2)).endswith("= 0.5")
    assert formulas.log_probs(-1, -31).endswith(r"= 9.4 \cdot 10^{-14}")
