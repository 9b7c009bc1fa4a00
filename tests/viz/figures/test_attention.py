import numpy as np
import pytest

from tests.viz.drawn import layout, traces
from viz.figures.attention import CELL, attention_heatmap
from viz.figures.theme import LIGHT

WEIGHTS = np.array([[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]], np.float32)


def test_queries_are_rows_from_the_top_and_keys_columns() -> None:
    figure = attention_heatmap(WEIGHTS, ["▁a", "b"], ["▁x", "y", "z"], "title", LIGHT)
    cells = traces(figure)[0]
    np.testing.assert_array_equal(cells.z, WEIGHTS)
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert layout(figure).yaxis.autorange == "reversed"
    assert list(layout(figure).yaxis.ticktext) == ["·a", "b"]
    assert list(layout(figure).xaxis.ticktext) == ["·x", "y", "z"]
    assert "query" in layout(figure).yaxis.title.text
    assert "key" in layout(figure).xaxis.title.text


def test_longer_keys_get_more_room_below_the_title() -> None:
    short = attention_heatmap(WEIGHTS, ["a", "b"], ["x", "y", "z"], "title", LIGHT)
    long = attention_heatmap(
        WEIGHTS, ["a", "b"], ["internationalisation", "y", "z"], "title", LIGHT
    )
    assert layout(long).margin.t > layout(short).margin.t + 90


def test_a_longer_sentence_makes_a_higher_figure() -> None:
    def height(rows: int) -> int:
        tokens = ["a"] * rows
        eye = np.eye(rows, dtype=np.float32)
        return layout(attention_heatmap(eye, tokens, tokens, "", LIGHT)).height

    assert height(20) - height(15) == 5 * CELL
    assert height(60) == height(120)


def test_tokens_are_text_not_markup() -> None:
    figure = attention_heatmap(WEIGHTS, ["<b>", "&"], ["x", "y", "z"], "title", LIGHT)
    assert list(layout(figure).yaxis.ticktext) == ["&lt;b&gt;", "&amp;"]


def test_tokens_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit 1 queries"):
        attention_heatmap(WEIGHTS, ["a"], ["x", "y", "z"], "title", LIGHT)
