"""A head's queries and keys in one plane, and a measure of its accuracy.

Attention is a softmax over keys. So no weight changes when one vector is added to all keys, or when
all queries are multiplied by a number and all keys by its inverse. Both are used here: the keys are
shifted so that they share a centre with the queries, and both are scaled so that they spread
equally far (Yeh et al. 2023, "AttentionViz").
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from model.measures.atlas.neighbours import neighbour_map

MAPPED = 300
"""Places on a map; all pairs of them are compared for its rank correlation."""

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Joint:
    """The plane of a head: how queries and keys are projected into it, and how faithful it is.

    `shift` (Dk,) is added to every key; `scale` multiplies every query and divides every key. Then
    `centre` (Dk,) is subtracted and `plane` (2, Dk) projects. `shares` are the shares of the
    variance along its two axes. `agreement` is the rank correlation (Spearman) between nearness in
    the plane (the negative distance) and q k, over all pairs: 1 when the plane orders all pairs
    as q k does.
    """

    shift: Array
    scale: float
    centre: Array
    plane: Array
    shares: tuple[float, float]
    agreement: float

    def moved_queries(self, q: NDArray[np.floating]) -> Array:
        """Return queries (N, Dk) scaled, relative to the centre."""
        return q * self.scale - self.centre

    def moved_keys(self, k: NDArray[np.floating]) -> Array:
        """Return keys (N, Dk) shifted and scaled, relative to the centre."""
        return (k + self.shift) / self.scale - self.centre

    def queries(self, q: NDArray[np.floating]) -> Array:
        """Return the points (N, 2) of queries (N, Dk)."""
        return self.moved_queries(q) @ self.plane.T

    def keys(self, k: NDArray[np.floating]) -> Array:
        """Return the points (N, 2) of keys (N, Dk)."""
        return self.moved_keys(k) @ self.plane.T

    def agreement_of(
        self, points: tuple[Array, Array], q: NDArray[np.floating], k: NDArray[np.floating]
    ) -> float:
        """Return the rank correlation of nearness with q k, over all pairs of (N, 2) and (M, 2)."""
        distances = np.linalg.norm(points[0][:, None] - points[1][None], axis=-1)
        return rank_correlation(-distances, q @ (k + self.shift).T)


@dataclass(frozen=True, eq=False)
class Near:
    """A map that keeps neighbours: the points of N queries, then of N keys, (2N, 2).

    They reach from -1 to 1. `agreement` is as in `Joint`.
    """

    points: Array
    agreement: float


def near_map(joint: Joint, q: NDArray[np.floating], k: NDArray[np.floating]) -> Near:
    """Put equal numbers of queries and keys (N, Dk) on a t-SNE map, moved as `joint` says.

    Raises ValueError when there are too few.
    """
    q, k = q.astype(np.float64), k.astype(np.float64)
    vectors = np.concatenate([joint.moved_queries(q), joint.moved_keys(k)])
    points = neighbour_map(vectors).astype(np.float64)
    points /= max(float(np.abs(points).max()), 1e-12)
    return Near(points, joint.agreement_of((points[: len(q)], points[len(q) :]), q, k))


def joint_map(q: NDArray[np.floating], k: NDArray[np.floating]) -> Joint:
    """Find the plane of queries (N, Dk) and keys (M, Dk) by principal components.

    Raises ValueError when there are fewer than two of either.
    """
    if min(len(q), len(k)) < 2:
        raise ValueError("at least two queries and two keys are needed for a map")
    q, k = q.astype(np.float64), k.astype(np.float64)
    wide = [np.linalg.norm(vectors - vectors.mean(0)) / np.sqrt(len(vectors)) for vectors in (q, k)]
    scale = float(np.sqrt(wide[1] / wide[0])) if min(wide) > 0 else 1.0
    shift = scale**2 * q.mean(0) - k.mean(0)  # so that the centres meet once both are scaled
    moved = np.concatenate([q * scale, (k + shift) / scale])
    centre = moved.mean(0)
    _left, values, directions = np.linalg.svd(moved - centre, full_matrices=False)
    plane = directions[:2]
    largest = np.abs(plane).argmax(1)
    plane = plane * np.sign(plane[np.arange(len(plane)), largest])[:, None]
    total = float((values**2).sum()) or 1.0
    shares = float(values[0] ** 2 / total), float(values[1] ** 2 / total)
    joint = Joint(shift, scale, centre, plane, shares, 0.0)
    return replace(joint, agreement=joint.agreement_of((joint.queries(q), joint.keys(k)), q, k))


def rank_correlation(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Return Spearman's rank correlation of two arrays of one shape; 0 where one is constant."""
    ranks = [_ranks(values.ravel()) for values in (first, second)]
    centred = [values - values.mean() for values in ranks]
    size = np.sqrt((centred[0] ** 2).sum() * (centred[1] ** 2).sum())
    return float((centred[0] * centred[1]).sum() / size) if size else 0.0


def _ranks(values: NDArray[np.floating]) -> Array:
    """Return ranks; equal values share their mean rank."""
    _known, rank, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return ((ends - counts + ends - 1) / 2)[rank]
