"""What the figures of the recurrent page draw, and how work and waiting are counted."""

import numpy as np
import pytest

from tests.viz.drawn import layout, traces
from viz.figures.theme import LIGHT
from viz.pages.recurrent.figures import gates_figure, score_bars, strips, window_figure
from viz.pages.recurrent.lengths import lengths_figure, line_of
from viz.pages.recurrent.waiting import attention_waiting, recurrent_waiting, times_figure

KEYS = ["▁The", "▁cat", "</s>"]


def test_strips_stand_in_the_order_given_from_the_top() -> None:
    (heatmap,) = traces(strips({"first": np.zeros(4), "second": np.ones(4)}, LIGHT))
    assert list(heatmap.y) == ["second", "first"]  # plotly draws the first row lowest
    assert heatmap.z[0].tolist() == [1, 1, 1, 1]
    assert (heatmap.zmin, heatmap.zmax) == (-1, 1)


def test_bars_stand_over_their_keys_and_name_the_axis() -> None:
    weights = np.array([0.2, 0.7, 0.1])
    figure = score_bars({"dot": weights, "general": weights[::-1]}, KEYS, LIGHT)
    assert [trace.name for trace in traces(figure)] == ["dot", "general"]
    assert list(traces(figure)[0].y) == weights.tolist()
    assert list(layout(figure).xaxis.ticktext) == ["·The", "·cat", "&lt;/s&gt;"]
    assert layout(figure).xaxis.title.text == "key: who is looked at"


def test_a_window_draws_softmax_product_bell_and_centre() -> None:
    align, bell = np.array([0.2, 0.8, 0.0]), np.array([0.5, 1.0, 0.0])
    figure = window_figure(align, bell, align * bell, 0.9, KEYS, LIGHT)
    softmax, weight, curve = traces(figure)
    assert list(softmax.y) == align.tolist()
    assert list(weight.y) == (align * bell).tolist()
    np.testing.assert_equal(list(curve.y), [0.5, 1.0, np.nan])  # nothing outside the window
    assert layout(figure).shapes[0].x0 == 0.9


def test_gates_are_sorted_by_their_mean() -> None:
    values = np.array([[0.9, 0.1, 0.5], [0.8, 0.2, 0.4]])
    (heatmap,) = traces(gates_figure({"update": values}, KEYS[:2], LIGHT))
    assert heatmap.z.tolist() == [[0.1, 0.2], [0.5, 0.4], [0.9, 0.8]]


def test_a_line_has_the_measure_that_was_asked_for() -> None:
    rows = [{"words": "1-3", "mean_words": 2.5, "sentences": 9, "bleu": 40.0, "chrf": 60.0}]
    line = line_of(rows, "chrf")
    assert (line.words, line.scores, line.of) == ((2.5,), (60.0,), ("1-3, 9",))
    assert line_of(rows, "bleu").scores == (40.0,)
    with pytest.raises(ValueError, match="measure must be bleu or chrf, not 'ter'"):
        line_of(rows, "ter")
    (drawn,) = traces(lengths_figure({"additive": line}, "chrF", LIGHT))
    assert (list(drawn.x), list(drawn.y), drawn.name) == ([2.5], [60.0], "additive")


def test_work_is_counted_product_by_product() -> None:
    n, width, half = 5, 7, 3
    products = 0
    for _direction in range(2):
        for _step in range(n):
            for _gate in range(3):
                products += half * width + half * half
    recurrent = recurrent_waiting(n, width, half)
    assert (recurrent.steps, recurrent.path, recurrent.work) == (n, n - 1, products)
    projections = sum(width * width for _matrix in range(4) for _piece in range(n))
    pairs = sum(2 * width for _query in range(n) for _key in range(n))
    attention = attention_waiting(n, width)
    assert (attention.steps, attention.path, attention.work) == (1, 1, projections + pairs)


def test_times_stand_over_their_lengths() -> None:
    (drawn,) = traces(times_figure({"recurrent": [(8, 1.5), (16, 2.5)]}, LIGHT))
    assert (list(drawn.x), list(drawn.y)) == ([8, 16], [1.5, 2.5])
