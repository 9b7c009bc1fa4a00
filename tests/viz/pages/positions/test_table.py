import numpy as np
import pytest

from model.transformer.positional import sinusoidal_positions
from viz.pages.positions.table import (
    Layout,
    closest,
    corner,
    dot_products,
    frequencies,
    layout_differences,
    order,
    residuals,
    shift_map,
    sinusoids,
    wavelengths,
)

LAYOUTS: tuple[Layout, ...] = ("interleaved", "two halves")


@pytest.mark.parametrize(("width", "base"), [(8, 100.0), (256, 10000.0)])
def test_the_table_is_the_models(width: int, base: float) -> None:
    table = sinusoids(np.arange(40), width, base, "interleaved")
    expected = sinusoidal_positions(40, width, base).numpy()
    np.testing.assert_allclose(table, expected, atol=1e-7)


def test_hand_computed_values_in_both_layouts() -> None:
    # Width 4, base 100: the second pair turns by 100^(-2/4) = 0.1 a position.
    expected = [np.sin(3), np.cos(3), np.sin(0.3), np.cos(0.3)]
    positions = np.array([3])
    np.testing.assert_allclose(sinusoids(positions, 4, 100, "interleaved")[0], expected)
    halves = sinusoids(positions, 4, 100, "two halves")[0]
    np.testing.assert_allclose(halves, [expected[0], expected[2], expected[1], expected[3]])


def test_waves_grow_from_two_pi_towards_base_times_two_pi() -> None:
    waves = wavelengths(256, 10000)
    assert waves[0] == pytest.approx(2 * np.pi)
    assert waves[-1] == pytest.approx(2 * np.pi * 10000 ** (254 / 256))
    np.testing.assert_allclose(waves[1:] / waves[:-1], 10000 ** (2 / 256))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("by", [-7, 0, 1, 32])
@pytest.mark.parametrize(("width", "base"), [(16, 100.0), (256, 10000.0)])
def test_one_matrix_shifts_every_position(layout: Layout, by: int, width: int, base: float) -> None:
    table = sinusoids(np.arange(100), width, base, layout)
    positions, residual = residuals(table, shift_map(by, width, base, layout), by)
    assert len(positions) == 100 - abs(by)
    assert residual.max() < 1e-12
    assert min(positions) == max(0, -by)
    wrong = residuals(table, shift_map(by + 1, width, base, layout), by)[1]
    assert wrong.min() > 0.1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_shifts_add_up_and_turn_back(layout: Layout) -> None:
    def turn(by: int) -> np.ndarray:
        return shift_map(by, 16, 1000, layout)

    np.testing.assert_allclose(turn(3) @ turn(4), turn(7), atol=1e-12)
    np.testing.assert_allclose(turn(3) @ turn(-3), np.eye(16), atol=1e-12)
    np.testing.assert_allclose(turn(3).T, turn(-3))


def test_a_shift_longer_than_the_table_leaves_nothing_to_compare() -> None:
    table = sinusoids(np.arange(5), 4, 100, "interleaved")
    positions, residual = residuals(table, shift_map(9, 4, 100, "interleaved"), 9)
    assert len(positions) == len(residual) == 0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dot_products_depend_on_the_distance_alone(layout: Layout) -> None:
    table = sinusoids(np.arange(30), 32, 1000, layout)
    positions = np.arange(30)
    products = table @ table.T
    for position in positions:
        np.testing.assert_allclose(products[position], dot_products(positions - position, 32, 1000))
    assert dot_products(np.array([0]), 32, 1000)[0] == 16


def test_the_layouts_are_the_same_columns_in_another_order() -> None:
    assert order(6, "two halves").tolist() == [0, 2, 4, 1, 3, 5]
    entries, products = layout_differences(50, 32, 10000)
    assert entries == 0
    assert products < 1e-12
    interleaved = sinusoids(np.arange(50), 32, 10000, "interleaved")
    halves = sinusoids(np.arange(50), 32, 10000, "two halves")
    assert np.abs(interleaved - halves).max() > 0.5


def test_the_corner_holds_the_first_pairs() -> None:
    assert corner(256, "interleaved", 6).tolist() == [0, 1, 2, 3, 4, 5]
    assert corner(256, "two halves", 6).tolist() == [0, 1, 2, 128, 129, 130]
    assert corner(4, "two halves", 16).tolist() == [0, 1, 2, 3]
    assert corner(256, "two halves", 5).tolist() == [0, 1, 128, 129]


def test_the_closest_positions_are_those_of_the_table() -> None:
    table = sinusoids(np.arange(60), 4, 3.0, "interleaved")
    distances = np.linalg.norm(table[0] - table[1:], axis=1)
    apart, distance = closest(4, 3.0, 60)
    assert apart == distances.argmin() + 1 > 1
    assert distance == pytest.approx(distances.min())
    assert closest(256, 10000, 64)[0] == 1
    apart, distance = closest(4, 3.0, 2)
    assert (apart, distance) == (1, pytest.approx(distances[0]))
    with pytest.raises(ValueError, match="two positions are needed"):
        closest(8, 100, 1)


def test_a_smaller_base_turns_every_pair_but_the_first_faster() -> None:
    fast, slow = frequencies(64, 100), frequencies(64, 10000)
    assert fast[0] == slow[0] == 1
    assert (fast[1:] > slow[1:]).all()
