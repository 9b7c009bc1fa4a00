import numpy as np
import pytest

from tests.viz.drawn import layout, traces
from viz.figures.theme import LIGHT
from viz.pages.layers.architecture.tensors import drawn
from viz.pages.layers.growth import growth_figure
from viz.pages.layers.lens import lens_figure
from viz.pages.layers.stream import Part, contribution_figure, stream_figure


def test_a_tensor_keeps_its_numbers_as_levels() -> None:
    values = np.array([[3.0, 4.0], [0.0, -4.0]])
    tensor = drawn(values)
    assert tensor.most == pytest.approx(4)
    signed = tensor.most * (tensor.levels / 127.5 - 1)
    np.testing.assert_allclose(signed, values, atol=4 / 255)
    assert drawn(np.zeros((2, 3))).most > 0


def test_a_wide_tensor_is_thinned_and_says_so() -> None:
    tensor = drawn(np.ones((3, 1024)))
    assert tensor.levels.shape == (3, 256)
    assert tensor.step == 4


def test_a_lens_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        lens_figure([["a", "b"]], np.ones((2, 2)), 0, LIGHT)


def test_the_chosen_depth_is_framed_in_the_stream_and_in_the_lens() -> None:
    stream = stream_figure(np.eye(4, 6), 2, LIGHT)
    lens = lens_figure([["a", "b"]] * 4, np.full((4, 2), 0.5), 2, LIGHT)
    for frame in (*layout(stream).shapes, *layout(lens).shapes):
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
    assert [shape.x0 for shape in layout(figure).shapes] == [17, 256]
    texts = [note.text for note in layout(figure).annotations]
    assert texts == ["this sentence: n = 17", "n = d = 256"]
    places = [note.x for note in layout(figure).annotations]
    np.testing.assert_allclose(places, np.log10([17, 256]))
    points = [trace for trace in traces(figure) if trace.mode == "markers+text"]
    assert [int(point.y[0]) for point in points] == [17**2 * 256, 17 * 256**2, 3 * 17 * 256**2]
