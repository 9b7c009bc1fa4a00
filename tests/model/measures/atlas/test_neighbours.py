"""The map that keeps neighbours: its slope and its numbers against brute force."""

import numpy as np
import pytest
from numpy.typing import NDArray

from model.measures.atlas.neighbours import (
    NEAREST,
    affinities,
    gradient,
    neighbour_map,
    put_in,
)

RNG = np.random.default_rng(4)
GROUPS = np.concatenate([RNG.normal(9 * n, 1, (25, 6)) for n in range(4)])


def divergence(likely: NDArray[np.floating], places: NDArray[np.floating]) -> float:
    """Return how badly a map (N, 2) keeps the neighbours, in nats: 0 when it does wholly."""
    near = 1 / (1 + ((places[:, None] - places) ** 2).sum(-1))
    np.fill_diagonal(near, 0)
    near = np.maximum(near / near.sum(), 1e-12)
    return float((likely * np.log(np.maximum(likely, 1e-12) / near)).sum())


def test_every_point_has_as_many_neighbours_as_it_is_said() -> None:
    likely = affinities(GROUPS, 12)
    np.testing.assert_allclose(likely, likely.T, atol=1e-9)
    assert likely.sum() == pytest.approx(1, abs=1e-4)
    # One point far from all others decides alone how wide it looks.
    squares = ((GROUPS[:, None] - GROUPS[None]) ** 2).sum(-1)
    from_first = squares[0, 1:]
    low, high, share = 1e-6, 1e3, from_first
    for _ in range(100):
        middle = (low + high) / 2
        share = np.exp(-(from_first - from_first.min()) * middle)
        share /= share.sum()
        entropy = -(share * np.log(np.maximum(share, 1e-300))).sum()
        low, high = (middle, high) if entropy > np.log(12) else (low, middle)
    own = np.zeros(len(GROUPS))
    own[1:] = share
    assert (2 * len(GROUPS) * likely[0] >= own - 1e-6).all()
    with pytest.raises(ValueError, match="more than 31 points are needed, not 20"):
        affinities(GROUPS[:20])


def test_the_slope_is_that_of_the_divergence() -> None:
    likely = affinities(GROUPS[:40], 8).astype(np.float64)
    places = RNG.normal(size=(40, 2))
    slope = gradient(likely, places)  # pyrefly: ignore[bad-argument-type]
    for point, axis in ((0, 0), (13, 1), (39, 0)):
        step = np.zeros_like(places)
        step[point, axis] = 1e-5
        ends = [divergence(likely, places + sign * step) for sign in (1, -1)]
        assert slope[point, axis] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-3, abs=1e-7)


def test_groups_stay_together_and_the_map_is_always_the_same() -> None:
    places = neighbour_map(GROUPS, 10)
    assert np.array_equal(places, neighbour_map(GROUPS, 10))
    distances = np.linalg.norm(places[:, None] - places[None], axis=-1)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1)[:, :10] // 25
    assert (nearest == np.arange(100)[:, None] // 25).mean() > 0.99
    plane = (GROUPS - GROUPS.mean(0))[:, :2].astype(np.float32)
    likely = affinities(GROUPS, 10)
    assert divergence(likely, places) < divergence(likely, plane)


def test_a_new_point_stands_among_its_nearest_ones() -> None:
    places = neighbour_map(GROUPS, 10)
    put = put_in(GROUPS, places, GROUPS[[3, 60]] + 1e-7)
    np.testing.assert_allclose(put, places[[3, 60]], atol=1e-2)
    new = RNG.normal(18, 1, (5, 6))
    for one, place in zip(new, put_in(GROUPS, places, new), strict=True):
        squares = ((GROUPS - one) ** 2).sum(1)
        some = np.argsort(squares)[:NEAREST]
        expected = np.average(places[some], axis=0, weights=1 / squares[some])
        np.testing.assert_allclose(place, expected, rtol=1e-5)
