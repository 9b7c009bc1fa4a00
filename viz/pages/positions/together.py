"""Which pieces at which places come to lie together when positions are added, at each width."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viz.pages.positions.table import Layout, sinusoids

PLACES, MOST = 32, 16
"""The places that are compared, and the most pieces of a sentence."""

BASE = 10_000.0

At = tuple[int, int]
"""A piece by its row, and a place; both from 0."""


@dataclass(frozen=True)
class Nearest:
    """The two sums of different pieces that lie nearest to each other at a width.

    `distance` is theirs as a share of the mean distance between sums of different pieces.
    """

    width: int
    first: At
    second: At
    distance: float


def nearest(embeddings: NDArray[np.floating], width: int, layout: Layout) -> Nearest:
    """Compare the sums of all pieces (n, D), each cut to `width` numbers, with `PLACES` places.

    Raises ValueError when there are not two pieces.
    """
    count = len(embeddings)
    if count < 2:
        raise ValueError("two different pieces are needed")
    places = sinusoids(np.arange(PLACES), width, BASE, layout)  # P d
    sums = embeddings[:, None, :width].astype(np.float64) + places  # n P d
    flat = sums.reshape(-1, width)  # n*P d
    squares = (flat**2).sum(axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares - 2 * flat @ flat.T, 0))
    piece = np.repeat(np.arange(count), PLACES)
    different = piece[:, None] != piece
    first, second = np.unravel_index(
        np.where(different, distances, np.inf).argmin(), distances.shape
    )
    share = float(distances[first, second] / distances[different].mean())
    return Nearest(width, divmod(int(first), PLACES), divmod(int(second), PLACES), share)


def by_width(embeddings: NDArray[np.floating], layout: Layout) -> list[Nearest]:
    """Return the nearest sums at widths 2, 4, 8 ... up to that of the embeddings (n, D)."""
    whole = embeddings.shape[1]
    widths = [2**power for power in range(1, whole.bit_length()) if 2**power < whole]
    return [nearest(embeddings, width, layout) for width in (*widths, whole)]


def distinct(tokens: Sequence[str]) -> list[int]:
    """Return the first row of each different piece."""
    return sorted({token: row for row, token in reversed(list(enumerate(tokens)))}.values())
