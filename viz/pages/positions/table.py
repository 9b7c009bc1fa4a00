"""Sinusoidal positions as numbers: the table, its two layouts, and the matrix that shifts it."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Layout = Literal["interleaved", "two halves"]


def frequencies(width: int, base: float) -> Array:
    """Return the angle by which each pair of dimensions turns per position, in radians (D/2,)."""
    return base ** (-np.arange(0, width, 2, dtype=np.float64) / width)


def wavelengths(width: int, base: float) -> Array:
    """Return the number of positions in a full turn of each pair (D/2,)."""
    return 2 * np.pi / frequencies(width, base)


def sinusoids(positions: NDArray[np.number], width: int, base: float, layout: Layout) -> Array:
    """Return the encodings (P, D) of positions (P,), which need not be whole numbers.

    In the interleaved layout, dimensions 2i and 2i + 1 are the sine and cosine of pair i. In the
    layout of two halves, the sines of all pairs come first.
    """
    angles = np.asarray(positions, dtype=np.float64)[:, None] * frequencies(width, base)  # P D/2
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # P D/2 2
    return pairs.reshape(len(pairs), width)[:, order(width, layout)]


def order(width: int, layout: Layout) -> NDArray[np.int64]:
    """Return the interleaved dimension in each place of a layout (D,)."""
    dimensions = np.arange(width)
    if layout == "interleaved":
        return dimensions
    return np.concatenate([dimensions[0::2], dimensions[1::2]])


def pair_of(dimension: int, width: int, layout: Layout) -> int:
    """Return the pair to which a dimension of a layout belongs."""
    return dimension // 2 if layout == "interleaved" else dimension % (width // 2)


def pair_places(pair: int, width: int, layout: Layout) -> list[int]:
    """Return where the sine and the cosine of a pair stand in a layout."""
    return [2 * pair, 2 * pair + 1] if layout == "interleaved" else [pair, pair + width // 2]


def shift_map(by: float, width: int, base: float, layout: Layout) -> Array:
    """Return M (D, D) with PE(p + by) = M PE(p) for every p: a rotation for each pair."""
    angle = by * frequencies(width, base)  # D/2
    matrix = np.zeros((width, width))
    sine, cosine = np.arange(0, width, 2), np.arange(1, width, 2)
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
    matrix[sine, cosine], matrix[cosine, sine] = np.sin(angle), -np.sin(angle)
    dimensions = order(width, layout)
    return matrix[np.ix_(dimensions, dimensions)]


def residuals(table: Array, matrix: Array, by: int) -> tuple[NDArray[np.int64], Array]:
    """Return positions p and, for each, the largest entry of |M PE(p) - PE(p + by)|.

    They are the positions p for which p + by is also in the table (P, D).
    """
    start = np.arange(max(0, -by), len(table) - max(0, by))
    return start, np.abs(table[start] @ matrix.T - table[start + by]).max(axis=1, initial=0)


def dot_products(by: NDArray[np.number], width: int, base: float) -> Array:
    """Return PE(p) . PE(p + by) (K,) by the formula sum_i cos(by w_i), the same for every p."""
    return np.cos(np.asarray(by, dtype=np.float64)[:, None] * frequencies(width, base)).sum(axis=1)


def closest(width: int, base: float, length: int) -> tuple[int, float]:
    """Return the distance k >= 1 at which two positions of a table are most alike.

    Also returns the length of PE(p) - PE(p + k), the same for every p. Raises ValueError for fewer
    than two positions.
    """
    if length < 2:
        raise ValueError(f"two positions are needed, not {length}")
    apart = np.arange(1, length)
    squared = np.maximum(width - 2 * dot_products(apart, width, base), 0)
    best = int(squared.argmin())
    return int(apart[best]), float(np.sqrt(squared[best]))


def layout_differences(length: int, width: int, base: float) -> tuple[float, float]:
    """Return how far apart the two layouts are.

    Returns the largest difference of entries, with the columns in one order, and the largest
    difference of the dot products of positions.
    """
    positions = np.arange(length)
    first = sinusoids(positions, width, base, "interleaved")
    other = sinusoids(positions, width, base, "two halves")
    entries = np.abs(other[:, np.argsort(order(width, "two halves"))] - first).max()
    return float(entries), float(np.abs(other @ other.T - first @ first.T).max())


def corner(width: int, layout: Layout, count: int) -> NDArray[np.int64]:
    """Return the dimensions (n,) of the first `count` / 2 pairs in a layout, in ascending order."""
    pairs = np.arange(min(count, width) // 2)
    if layout == "interleaved":
        return np.arange(2 * len(pairs))
    return np.concatenate([pairs, pairs + width // 2])
