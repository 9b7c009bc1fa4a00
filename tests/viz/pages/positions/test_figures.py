import numpy as np
import pytest

from tests.viz.drawn import layout, traces
from viz.figures.theme import DARK, LIGHT
from viz.pages.positions import formulas
from viz.pages.positions.combine import Sizes, _correlation, combine, combine_figure, sizes
from viz.pages.positions.heatmap import table_heatmap
from viz.pages.positions.products import products_figure, products_from
from viz.pages.positions.shift import FLOOR, shift_figure
from viz.pages.positions.table import dot_products, shift_map, sinusoids
from viz.pages.positions.use_panels import how_alike

TABLE = sinusoids(np.arange(12), 8, 100, "interleaved")


def test_tables_stand_side_by_side_on_one_scale() -> None:
    figure = table_heatmap([TABLE, -TABLE], ["one", "other"], 5, DARK)
    np.testing.assert_array_equal(traces(figure)[1].z, -TABLE.astype(np.float32))
    assert (layout(figure).coloraxis.cmin, layout(figure).coloraxis.cmax) == (-1, 1)
    assert [shape.y0 for shape in layout(figure).shapes] == [4.5, 4.5]
    assert not layout(table_heatmap([TABLE], ["one"], 12, DARK)).shapes
    with pytest.raises(ValueError, match="1 titles given for 2 tables"):
        table_heatmap([TABLE, TABLE], ["one"], 5, DARK)


def test_products_from_the_table_lie_on_the_curve() -> None:
    distances, products = products_from(TABLE, 4)
    assert distances.tolist() == list(range(-4, 8))
    np.testing.assert_allclose(products, dot_products(distances, 8, 100))
    figure = products_figure(TABLE, 4, 100, 5, LIGHT)
    assert traces(figure)[1].x.tolist() == list(range(-4, 6))
    with pytest.raises(ValueError, match="position must be 0 to 11, not 12"):
        products_from(TABLE, 12)


def test_near_positions_are_only_mostly_more_alike_where_the_curve_rises_again() -> None:
    rising = sinusoids(np.arange(128), 256, 10000, "interleaved")
    assert (np.diff(products_from(rising, 0)[1]) > 0).any()
    assert how_alike(rising, 8).endswith("Near ones are mostly more alike.")
    falling = np.tril(np.ones((6, 6)))
    assert (np.diff(products_from(falling, 5)[1]) > 0).all()  # towards the position itself
    assert how_alike(falling, 5).endswith("Near ones are more alike.")


def test_an_exact_residual_is_drawn_on_the_floor() -> None:
    dimensions, positions = np.arange(4), np.arange(3)
    matrix = shift_map(2, 8, 100, "interleaved")[:4, :4]
    residual, change = np.array([0, 1e-15, 1e-14]), np.ones(3)
    figure = shift_figure(matrix, dimensions, positions, residual, change, LIGHT)
    np.testing.assert_array_equal(traces(figure)[0].z, matrix)
    assert traces(figure)[2].y.tolist() == [FLOOR, 1e-15, 1e-14]
    assert traces(figure)[2].customdata.tolist() == [0, 1e-15, 1e-14]


def test_cross_terms_are_what_adding_has_and_concatenating_has_not() -> None:
    rng = np.random.default_rng(0)
    x, p = rng.normal(size=(5, 16)), rng.normal(size=(5, 16))
    combined = combine(x, p)
    total = np.linalg.norm(x + p, axis=1)
    joined = np.sqrt((x**2).sum(1) + (p**2).sum(1))
    added = combined.added * np.outer(total, total)
    concatenated = combined.concatenated * np.outer(joined, joined)
    np.testing.assert_allclose(added - concatenated, x @ p.T + p @ x.T)
    np.testing.assert_allclose(np.diag(combined.added), 1)


def test_at_right_angles_the_two_choices_are_the_same() -> None:
    rng = np.random.default_rng(1)
    x = np.pad(rng.normal(size=(6, 4)), ((0, 0), (0, 4)))
    p = np.pad(rng.normal(size=(6, 4)), ((0, 0), (4, 0)))
    combined = combine(x, p)
    assert combined.cross == 0
    assert combined.correlation == pytest.approx(1)
    np.testing.assert_allclose(combined.added, combined.concatenated)


def test_pairs_that_are_all_alike_have_no_correlation() -> None:
    assert np.isnan(combine(np.eye(2, 4), np.ones((2, 4))).correlation)
    assert np.isnan(combine(np.eye(3, 4), np.ones((3, 4))).correlation)


def test_a_correlation_needs_two_values_on_either_side() -> None:
    rising, falling, same = np.array([0.1, 0.2]), np.array([0.7, 0.3]), np.array([0.5, 0.5])
    assert _correlation(rising, falling) == pytest.approx(-1)
    assert np.isnan([_correlation(rising, same), _correlation(same, rising)]).all()
    assert np.isnan(_correlation(rising[:1], falling[:1]))
    three = np.array([0.1, 0.2, 0.6]), np.array([0.3, 0.1, 0.5])
    one, other = (values - values.mean() for values in three)
    expected = one @ other / np.sqrt((one @ one) * (other @ other))
    assert _correlation(*three) == pytest.approx(expected)


@pytest.mark.parametrize("size", [1.0, 1e-4])
def test_cosines_and_their_mean_size_do_not_depend_on_the_length(size: float) -> None:
    rng = np.random.default_rng(2)
    x, p = rng.normal(size=(4, 6)), rng.normal(size=(4, 6))
    found = combine(x * size, p * size)
    each = [abs(a @ b) / np.sqrt((a @ a) * (b @ b)) for a in x for b in p]
    assert found.cross == pytest.approx(np.mean(each))
    np.testing.assert_allclose(np.diag(found.concatenated), 1)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    one, other = ([matrix[pair] for pair in pairs] for matrix in (found.added, found.concatenated))
    assert found.correlation == pytest.approx(_correlation(np.array(one), np.array(other)))


def test_concatenating_doubles_the_weights_of_the_first_projections() -> None:
    assert sizes(256, 256) == (Sizes(256, 196608), Sizes(512, 393216))


def test_both_choices_are_drawn() -> None:
    combined = combine(np.eye(3, 4), np.ones((3, 4)))
    figure = combine_figure(combined, ["▁a", "<b>", "c"], LIGHT)
    np.testing.assert_allclose(traces(figure)[0].z, combined.added, atol=1e-6)
    np.testing.assert_allclose(traces(figure)[1].z, combined.concatenated, atol=1e-6)
    assert list(layout(figure).xaxis.ticktext) == ["·a", "&lt;b&gt;", "c"]


def test_formulas_hold_the_settings_and_the_numbers() -> None:
    assert r"10000^{2i/256}" in formulas.encoding(256, 10000, "interleaved")
    assert "PE(p)_{i+128}" in formulas.encoding(256, 10000, "two halves")
    # Width 4, base 100, pair 1: 3 positions turn it by 0.3.
    assert f"PE(3)_{{3}} = \\cos(0.300) = {np.cos(0.3):.3f}" in formulas.example(
        4, 100, "interleaved", 3, 1
    )
    assert "PE(3)_{1} = \\sin(0.300)" in formulas.example(4, 100, "two halves", 3, 1)
    assert f"k=2:\\ {np.cos(2) + np.cos(0.2):.2f}" in formulas.product(4, 100, 2)
    assert f"{np.cos(0.2):.3f} & {np.sin(0.2):.3f}" in formulas.rotation(2, 4, 100, 1)
