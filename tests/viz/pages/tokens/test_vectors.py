import math

import numpy as np
import pytest

from tests.viz.drawn import layout, traces
from viz.figures.theme import LIGHT
from viz.pages.tokens import formulas
from viz.pages.tokens.embedding import embedding_strips, input_rows, norm_bars
from viz.pages.tokens.map import MapPoint, piece_map, principal_plane
from viz.pages.tokens.neighbours import Neighbour, nearest, neighbour_bars, side_of

UNITS = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-1.0, 0.0]])


def test_the_input_is_the_scaled_row_plus_the_position() -> None:
    rows = input_rows(np.array([1.0, -2.0, 0.0, 0.5]), np.array([0.0, 1.0, 0.0, 1.0]))
    np.testing.assert_array_equal(rows[1], [2, -4, 0, 1])
    np.testing.assert_array_equal(rows[3], [2, -3, 0, 2])


def test_the_strips_share_one_scale_centred_at_zero() -> None:
    rows = input_rows(np.array([1.0, -3.0]), np.array([0.0, 1.0]))
    heatmap = traces(embedding_strips(rows, ["a", "b", "c", "d"], LIGHT))[0]
    assert heatmap.zmax == -heatmap.zmin == pytest.approx(3 * math.sqrt(2))
    with pytest.raises(ValueError, match="1 labels given for 4 rows"):
        embedding_strips(rows, ["a"], LIGHT)


def test_a_faint_row_has_stronger_colours_and_its_own_numbers() -> None:
    rows = input_rows(np.array([1.0, -3.0]), np.array([0.0, 1.0]))
    heatmap = traces(embedding_strips(rows, ["a", "b", "c", "d"], LIGHT, math.sqrt(2)))[0]
    np.testing.assert_allclose(heatmap.z[0], heatmap.z[1])
    np.testing.assert_allclose(heatmap.customdata, rows, rtol=1e-6)
    np.testing.assert_allclose(heatmap.z[1:], rows[1:], rtol=1e-6)


def test_bars_are_the_lengths_of_the_vectors() -> None:
    figure = norm_bars(["a", "b"], np.array([[3, 4], [0, 1]]), np.ones((2, 2)), 1, LIGHT)
    assert list(traces(figure)[0].y) == [5, 1]
    np.testing.assert_allclose(traces(figure)[1].y, math.sqrt(2))
    assert list(traces(figure)[0].marker.line.width) == [0, 2]


def test_the_nearest_pieces_come_first_without_the_piece_itself() -> None:
    found = nearest(UNITS, [0], 2)[0]
    assert [one.id for one in found] == [1, 2]
    assert [one.cosine for one in found] == pytest.approx([0.6, 0])
    assert [one.id for one in nearest(UNITS, [0], 9, ignored=(1,))[0]] == [2, 3]
    assert nearest(UNITS, [0], 0) == [[]]


def test_many_pieces_are_asked_about_at_once() -> None:
    units = np.random.default_rng(3).normal(size=(60, 8))
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    ids = [5, 40, 7]
    together = nearest(units, ids, 10, ignored=(1, 2))
    for id_, found in zip(ids, together, strict=True):
        cosines = units @ units[id_]
        allowed = [other for other in range(60) if other not in {1, 2, id_}]
        expected = sorted(allowed, key=lambda other: -cosines[other])[:10]
        assert [one.id for one in found] == expected


@pytest.mark.parametrize(
    ("id_", "side"), [(1, "source"), (2, "both"), (3, "target"), (4, "neither")]
)
def test_a_piece_belongs_to_the_sentences_it_occurs_in(id_: int, side: str) -> None:
    assert side_of(id_, {1, 2}, {2, 3}) == side


def test_neighbours_stand_nearest_on_top() -> None:
    found = [Neighbour(5, 0.9), Neighbour(6, -0.2)]
    figure = neighbour_bars(found, ["▁a", "<"], ["source", "neither"], LIGHT)
    assert list(layout(figure).yaxis.ticktext) == ["·a", "&lt;"]
    assert layout(figure).xaxis.range[0] == -0.2
    assert {(x, y) for bar in traces(figure) for x, y in zip(bar.x, bar.y, strict=True)} == {
        (0.9, 0),
        (-0.2, 1),
    }


def test_the_plane_keeps_what_lies_in_a_plane() -> None:
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(20, 2)) * [5, 1]
    basis = np.linalg.qr(rng.normal(size=(7, 2)))[0]
    projection = principal_plane(flat @ basis.T + 3)
    assert sum(projection.shares) == pytest.approx(1)
    assert projection.shares[0] > projection.shares[1]
    distances = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
    places = projection.points
    np.testing.assert_allclose(
        np.linalg.norm(places[:, None] - places[None], axis=-1), distances, atol=1e-9
    )


def test_the_shares_are_those_of_the_covariance() -> None:
    vectors = np.random.default_rng(1).normal(size=(30, 5)) * [4, 3, 2, 1, 1]
    values = np.linalg.eigvalsh(np.cov(vectors.T))[::-1]
    expected = values[:2] / values.sum()
    np.testing.assert_allclose(principal_plane(vectors).shares, expected)


def test_one_piece_alone_has_a_place() -> None:
    projection = principal_plane(np.ones((1, 4)))
    np.testing.assert_array_equal(projection.points, [[0, 0]])
    assert projection.shares == (0, 0)


@pytest.mark.parametrize("vectors", [np.array([[1.0], [3.0], [8.0]]), np.array([[1, 2], [5, 2]])])
def test_what_lies_on_a_line_has_no_second_axis(vectors: np.ndarray) -> None:
    projection = principal_plane(vectors)
    assert projection.points.shape == (len(vectors), 2)
    assert projection.shares == (pytest.approx(1), pytest.approx(0))
    first = projection.points[:, 0]
    np.testing.assert_allclose(first - first[0], vectors[:, 0] - vectors[0, 0])
    np.testing.assert_allclose(projection.points[:, 1], 0, atol=1e-12)


def test_a_line_leads_from_a_neighbour_to_its_piece() -> None:
    points = [MapPoint("▁a", "source"), MapPoint("b", "neither", near=0)]
    projection = principal_plane(np.array([[1.0, 0, 0], [0, 1, 0]]))
    figure = piece_map(points, projection, LIGHT)
    (ax, ay), (bx, by) = projection.points
    assert list(traces(figure)[0].x) == [bx, ax, None]
    assert list(traces(figure)[0].y) == [by, ay, None]
    assert traces(figure)[1].text == ("·a",)
    with pytest.raises(ValueError, match="1 pieces given for 2 places"):
        piece_map(points[:1], projection, LIGHT)


def test_formulas_hold_the_numbers_given() -> None:
    assert formulas.pieces_a_word(16, 11).endswith("= 1.45")
    assert "-1.5 -2.0 + \\dots = -9.0" in formulas.cut_score([-1.5, -2.0], 4, -9.0)
    assert "\\dots" not in formulas.cut_score([-1.5], 1, -1.5)
    assert formulas.cut_ratio(-10, -10 - math.log(8)).endswith("= 0.125")
    assert formulas.cosine(0.25).endswith("= 0.250")
    assert formulas.principal_shares(9, 256, (0.25, 0.125)).endswith(r"= 38\,\%")


def test_the_lengths_in_the_formulas_are_those_of_the_rows() -> None:
    rows = input_rows(np.array([0.3, 0.4, 0, 0]), np.array([0, 1.0, 0, 1.0]))
    written = formulas.embedding_lengths(rows, 2)
    for number in ("= 0.50", "= 1.00", "PE(2)", r"\sqrt{4 / 2} = 1.41"):
        assert number in written
    length = np.linalg.norm(rows[3])
    assert formulas.input_sum(rows, 2).endswith(f"= {length:.2f}")


def test_a_row_that_is_not_scaled_is_added_as_it_is() -> None:
    rows = input_rows(np.array([0.3, 0.4, 0, 0]), np.array([0, 2.0, 0, 0]), scaled=False)
    np.testing.assert_allclose(rows[-1], [0.3, 2.4, 0, 0])
    written = formulas.embedding_lengths(rows, 2, sinusoid=False)
    assert "sqrt" not in written
    assert written.endswith("= 2.00")
    assert "sqrt" not in formulas.input_sum(rows, 2)
