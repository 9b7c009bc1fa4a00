from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.figures.theme import DARK, LIGHT
from viz.pages.layers.growth import growth_figure
from viz.pages.layers.lens import lens_figure
from viz.pages.layers.stream import Part, contribution_figure, stream_figure
from viz.pages.layers.tensor import MOST_CELLS, piece_heatmap, tensor_heatmap


def traces(figure: go.Figure) -> list[Any]:
    return list(figure.select_traces())


def test_a_tensor_keeps_its_numbers_and_shows_each_row_s_length() -> None:
    values = np.array([[3.0, 4.0], [0.0, -2.0]])
    figure = tensor_heatmap(values, ["▁a", "<b>"], LIGHT)
    lengths, heatmap = traces(figure)
    np.testing.assert_array_equal(heatmap.z, values)
    assert (heatmap.zmin, heatmap.zmax) == (-4, 4)
    np.testing.assert_allclose(lengths.x, [5, 2])
    assert figure.layout.yaxis.ticktext == ("·a", "&lt;b&gt;")


def test_a_wide_tensor_is_thinned_and_says_so() -> None:
    values = np.ones((100, 1024))
    figure = tensor_heatmap(values, ["a"] * 100, LIGHT)
    assert traces(figure)[1].z.size <= MOST_CELLS
    assert "1 of 3" in figure.layout.xaxis.title.text
    assert traces(figure)[1].x[1] - traces(figure)[1].x[0] == 3


def test_tokens_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        tensor_heatmap(np.ones((2, 3)), ["a"], LIGHT)
    with pytest.raises(ValueError, match="do not fit"):
        piece_heatmap(np.ones((2, 3)), ["a", "b"], ["c"], True, LIGHT)
    with pytest.raises(ValueError, match="do not fit"):
        lens_figure([["a", "b"]], np.ones((2, 2)), 0, LIGHT)


def test_probabilities_have_one_scale_from_0_to_1_and_logits_a_signed_one() -> None:
    values = np.array([[0.2, 0.7]])
    odds = traces(piece_heatmap(values, ["a"], ["b", "c"], True, DARK))[0]
    scores = traces(piece_heatmap(values - 0.5, ["a"], ["b", "c"], False, DARK))[0]
    assert (odds.zmin, odds.zmax) == (0, 1)
    assert (scores.zmin, scores.zmax) == pytest.approx((-0.3, 0.3))


def test_the_chosen_depth_is_framed_in_the_stream_and_in_the_lens() -> None:
    stream = stream_figure(np.eye(4, 6), 2, LIGHT)
    lens = lens_figure([["a", "b"]] * 4, np.full((4, 2), 0.5), 2, LIGHT)
    for frame in (*stream.layout.shapes, *lens.layout.shapes):
        assert (frame.y0, frame.y1) == (1.5, 2.5)
    np.testing.assert_allclose(traces(stream)[1].z, np.eye(4))
    assert traces(lens)[0].y == ("input", "layer 1", "layer 2", "layer 3")


def test_shares_are_drawn_a_bar_a_layer_and_the_chosen_layer_stands_out() -> None:
    parts = [Part("self_attn", (0.25, 0.5)), Part("ffn", (-0.1, 0.75))]
    attention, fed = traces(contribution_figure(parts, 2, LIGHT))
    assert attention.y == (0.25, 0.5)
    assert fed.text == ("-10%", "75%")
    assert attention.marker.opacity[1] > attention.marker.opacity[0]


def test_this_sentence_and_this_width_are_marked_on_the_growth_curves() -> None:
    figure = growth_figure(17, 256, 3, LIGHT)
    assert [shape.x0 for shape in figure.layout.shapes] == [17, 256]
    texts = [note.text for note in figure.layout.annotations]
    assert texts == ["this sentence: n = 17", "n = d = 256"]
    places = [note.x for note in figure.layout.annotations]
    np.testing.assert_allclose(places, np.log10([17, 256]))
    points = [trace for trace in traces(figure) if trace.mode == "markers+text"]
    assert [int(point.y[0]) for point in points] == [17**2 * 256, 17 * 256**2, 3 * 17 * 256**2]
