"""The nearest sums of pieces and places."""

import numpy as np
import pytest

from viz.pages.positions.table import sinusoids
from viz.pages.positions.together import BASE, by_width, distinct, nearest


def test_a_piece_that_differs_by_a_step_of_the_sinusoids_lies_on_another_at_another_place() -> None:
    """The second piece is the first one moved by PE(5) - PE(3); the third is far away."""
    width = 8
    places = sinusoids(np.arange(6), width, BASE, "interleaved")
    first = np.random.default_rng(0).normal(size=width)
    pieces = np.stack([first, first + places[5] - places[3], first + 50])
    found = nearest(pieces, width, "interleaved")
    assert {found.first, found.second} == {(0, 5), (1, 3)}
    assert found.distance == pytest.approx(0, abs=1e-6)


def test_with_more_numbers_the_nearest_sums_lie_further_apart() -> None:
    pieces = np.random.default_rng(1).normal(size=(8, 256))
    found = by_width(pieces, "interleaved")
    assert [one.width for one in found] == [2, 4, 8, 16, 32, 64, 128, 256]
    assert found[0].distance < found[3].distance < found[-1].distance
    assert all(one.first[0] != one.second[0] for one in found)


def test_a_piece_that_stands_twice_counts_once() -> None:
    assert distinct(["a", "b", "a", "c", "b"]) == [0, 1, 3]
    with pytest.raises(ValueError, match="two different pieces"):
        nearest(np.zeros((1, 4)), 2, "interleaved")
