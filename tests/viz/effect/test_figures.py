"""The figures of a change: a signed difference, and the probabilities before and after."""

import numpy as np
import pytest

from viz.effect.difference import (
    LONGEST,
    SMALLEST_RANGE,
    UNSEEN,
    cut,
    difference_heatmap,
    is_seen,
    reach,
)
from viz.effect.likelihood import UNCHANGED, change_colours, likelihood_chart
from viz.figures.theme import DARK, LIGHT, Theme


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_scale_of_a_difference_is_centred_at_zero(theme: Theme) -> None:
    change = np.array([[0.3, -0.6], [0.0, np.nan]], np.float32)
    figure = difference_heatmap(change, ["▁a", "▁b"], ["▁c", "▁d"], "title", theme)
    trace = figure.to_dict()["data"][0]
    assert trace["zmax"] == -trace["zmin"] == pytest.approx(0.6)
    assert trace["colorscale"][1] == [0.5, theme.background]


def test_rounding_is_not_blown_up_into_a_picture() -> None:
    change = np.full((1, 1), 1e-7, np.float32)
    assert reach(change) == SMALLEST_RANGE
    assert not is_seen(change)
    assert is_seen(np.array([[np.nan, -0.01]], np.float32))
    assert is_seen(np.array([[UNSEEN]]))
    for nothing in (np.zeros((0, 3), np.float32), np.full((1, 2), np.nan, np.float32)):
        assert reach(nothing) == SMALLEST_RANGE
        assert not is_seen(nothing)


def test_a_label_is_cut_only_when_it_is_too_long() -> None:
    assert cut("a" * LONGEST) == "a" * LONGEST
    assert cut("a" * (LONGEST + 1)) == "a" * (LONGEST - 1) + "…"


def test_long_labels_are_cut_and_the_pointer_shows_them_whole() -> None:
    long = "▁which ▁nobody ▁had ▁ever ▁seen"
    figure = difference_heatmap(np.zeros((1, 1), np.float32), [long], [long], "t", LIGHT)
    written = figure.to_dict()
    for axis in ("xaxis", "yaxis"):
        (label,) = written["layout"][axis]["ticktext"]
        assert label == "·which ·nobody ·had ·…"
    assert written["data"][0]["customdata"][0][0][0] == "·which ·nobody ·had ·ever ·seen"


def test_query_stands_on_rows_and_key_on_columns() -> None:
    layout = difference_heatmap(
        np.zeros((1, 2), np.float32), ["▁a"], ["<b>", "▁c"], "title", LIGHT
    ).to_dict()["layout"]
    assert layout["yaxis"]["title"]["text"].startswith("query")
    assert layout["xaxis"]["title"]["text"].startswith("key")
    assert layout["xaxis"]["ticktext"][0] == "&lt;b&gt;"


def test_rising_and_falling_have_the_ends_of_the_diverging_scale() -> None:
    low, high = LIGHT.diverging[0][1], LIGHT.diverging[-1][1]
    assert change_colours(np.array([0.2, -0.1, 1e-5]), LIGHT) == [high, low, UNCHANGED]


def test_only_notable_changes_of_probability_carry_a_number() -> None:
    before, after = np.array([0.5, 0.5, 0.5]), np.array([0.5, 0.75, 0.499])
    numbers = likelihood_chart(["a", "b", "c"], before, after, LIGHT).to_dict()["data"][-1]
    assert list(numbers["text"]) == ["+25.0"]
    assert list(numbers["x"]) == [1]


def test_of_changes_side_by_side_only_the_largest_carries_a_number() -> None:
    before, after = np.full(7, 0.5), np.array([0.6, 0.7, 0.55, 0.5, 0.5, 0.4, 0.45])
    numbers = likelihood_chart(list("abcdefg"), before, after, LIGHT).to_dict()["data"][-1]
    assert dict(zip(numbers["x"], numbers["text"], strict=True)) == {1: "+20.0", 5: "\u221210.0"}


def test_numbers_without_names_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        difference_heatmap(np.zeros((1, 2), np.float32), ["a"], ["b"], "title", LIGHT)
    with pytest.raises(ValueError, match="2 pieces"):
        likelihood_chart(["a", "b"], np.zeros(2), np.zeros(1), LIGHT)


def test_rows_that_are_named_by_what_was_read_say_so() -> None:
    change = np.zeros((1, 2), np.float32)
    plain, after = (
        difference_heatmap(change, ["a"], ["b", "c"], "title", LIGHT, one).to_dict()["layout"]
        for one in (False, True)
    )
    assert "after reading" in after["yaxis"]["title"]["text"]
    assert "after reading" not in plain["yaxis"]["title"]["text"]
