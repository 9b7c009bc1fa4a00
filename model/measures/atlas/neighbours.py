"""A map that keeps neighbours: t-SNE, exact, for some hundred points.

Van der Maaten and Hinton 2008, "Visualizing Data using t-SNE". It keeps near points together and
gives up all larger distances.
"""

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]

PERPLEXITY, STEPS, EARLY = 30.0, 400, 100
"""The number of neighbours that count, steps, and early steps with stronger attraction."""

EXAGGERATED, RATE_BY_POINTS, HALVINGS = 12.0, 1 / 12, 50
NEAREST = 5
"""The number of neighbours that place a new point."""


def affinities(points: NDArray[np.floating], perplexity: float = PERPLEXITY) -> Points:
    """Return the symmetric probabilities (N, N) that points are neighbours, equation 1.

    Each point's distances are scaled so that it has about `perplexity` neighbours. Raises
    ValueError when there are too few points for this.
    """
    count = len(points)
    if count <= perplexity + 1:
        raise ValueError(f"more than {perplexity + 1:.0f} points are needed, not {count}")
    squares = _squares(points.astype(np.float64))
    np.fill_diagonal(squares, np.inf)
    squares -= squares.min(1, keepdims=True)
    low, high = np.zeros((count, 1)), np.full((count, 1), np.inf)
    narrow = np.ones((count, 1)) / max(float(np.median(squares)), 1e-12)
    likely = np.zeros_like(squares)
    for _ in range(HALVINGS):
        likely = np.exp(-squares * narrow)
        likely /= likely.sum(1, keepdims=True)
        entropy = -(likely * np.log(np.maximum(likely, 1e-300))).sum(1, keepdims=True)
        wide = entropy > np.log(perplexity)
        low, high = np.where(wide, narrow, low), np.where(wide, high, narrow)
        narrow = np.where(np.isinf(high), 2 * narrow, (low + high) / 2)
    return ((likely + likely.T) / (2 * count)).astype(np.float32)


def _squares(points: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return all squared distances (N, N)."""
    sizes = (points**2).sum(1)
    return np.maximum(sizes[:, None] + sizes[None] - 2 * points @ points.T, 0)


def gradient(likely: Points, places: Points, attracted: float = 1.0) -> Points:
    """Return the gradient of the divergence by each place (N, 2), equation 5."""
    near = 1 / (1 + _squares(places))  # N N
    np.fill_diagonal(near, 0)
    pull = (attracted * likely - near / near.sum()) * near
    return 4 * (pull.sum(1)[:, None] * places - pull @ places)


def neighbour_map(points: NDArray[np.floating], perplexity: float = PERPLEXITY) -> Points:
    """Put points (N, D) on a map (N, 2) that keeps their neighbours; the map is always the same.

    It starts from the two first principal components. Raises ValueError as `affinities` does.
    """
    likely = affinities(points, perplexity)
    centred = points - points.mean(0)
    _left, _sizes, directions = np.linalg.svd(centred, full_matrices=False)
    start = centred @ directions[:2].T
    places = (1e-4 * start / max(float(start[:, 0].std()), 1e-12)).astype(np.float32)
    speed, gains = np.zeros_like(places), np.ones_like(places)
    rate = max(len(points) * RATE_BY_POINTS, 50.0)
    for step in range(STEPS):
        slope = gradient(likely, places, EXAGGERATED if step < EARLY else 1.0)
        same = (slope > 0) == (speed > 0)
        gains = np.maximum(np.where(same, gains * 0.8, gains + 0.2), 0.01)
        speed = (0.5 if step < EARLY else 0.8) * speed - rate * gains * slope
        places = places + speed
        places -= places.mean(0)
    return places


def put_in(
    points: NDArray[np.floating], places: NDArray[np.floating], new: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Put new points (M, D) on a map, each at the weighted mean of its nearest points' places.

    `points` (N, D) are at `places` (N, 2). A point's weight is one over its squared distance from
    the new point, as vectors (D,).
    """
    squares = ((new[:, None].astype(np.float64) - points[None]) ** 2).sum(-1)  # M N
    nearest = np.argsort(squares, axis=1, kind="stable")[:, :NEAREST]  # M NEAREST
    weights = 1 / np.maximum(np.take_along_axis(squares, nearest, 1), 1e-9)
    weights /= weights.sum(1, keepdims=True)
    return (places[nearest] * weights[..., None]).sum(1)
