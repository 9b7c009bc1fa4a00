"""Experiments with random and with typed numbers, in double precision by default."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viz.figures.weights import softmax

Floats = NDArray[np.floating]
WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""The widths d of the experiments."""

FEWEST, MOST, KEYS, SEED = 400, 6400, 16, 7
"""The fewest and the most rows of an experiment, the keys in a row, and the seed."""


@dataclass(frozen=True, eq=False)
class Chain:
    """The products q k (S,), these divided by √d_k, and the weights with and without division."""

    scores: Floats
    divided: Floats
    weights: Floats
    undivided: Floats


def chain_of(scores: Floats, d_k: int) -> Chain:
    """Compute the division and the softmax of products q k (S,)."""
    divided = scores / np.sqrt(d_k)
    return Chain(scores, divided, softmax(divided), softmax(scores))


@dataclass(frozen=True)
class Masked:
    """The softmax of a masked row: the mask's number, the precision, and the weights.

    `one` are the weights with the last key masked, `all` the weights with all keys masked.
    """

    mask: str
    precision: str
    one: tuple[float, ...]
    all: tuple[float, ...]


def masked_rows(scores: tuple[float, ...]) -> list[Masked]:
    """Mask the last key, and all keys, with -inf and with -1e9, in two precisions."""
    rows: list[Masked] = []
    precisions: tuple[tuple[str, type[np.floating]], ...] = (
        ("float32", np.float32),
        ("float16", np.float16),
    )
    for precision, dtype in precisions:
        for name, value in (("-inf", -np.inf), ("-1e9", -1e9)):
            with np.errstate(all="ignore"):
                row = np.array(scores, dtype)
                added = np.array(value).astype(dtype)  # beyond the range of float16, this is -inf
                last = row.copy()
                last[-1] = row[-1] + added
                weights = [softmax(last), softmax(row + added)]
            first_row, every = (tuple(float(weight) for weight in each) for each in weights)
            rows.append(Masked(name, precision, first_row, every))
    return rows


@dataclass(frozen=True, eq=False)
class Spread:
    """Statistics of rows of scores: their variance, and two means over the rows.

    `largest` is the largest weight, `jacobian` the Frobenius norm of the softmax's Jacobian.
    """

    variance: float
    largest: float
    jacobian: float


def spread(scores: Floats) -> Spread:
    """Measure rows of scores (rows, keys); -inf marks masked keys, which do not count."""
    weights = softmax(scores.astype(np.float64))
    finite = scores[np.isfinite(scores)]
    return Spread(
        float(finite.var()),
        float(weights.max(axis=1).mean()),
        float(jacobian_norms(weights).mean()),
    )


def jacobian_norms(weights: Floats) -> Floats:
    """Return the Frobenius norm (rows,) of diag(p) - p pᵀ for weights p (rows, keys)."""
    squares = (weights**2).sum(axis=1)
    cubes = (weights**3).sum(axis=1)
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def random_scores(d_k: int) -> Floats:
    """Return products q k of random normal vectors of d_k numbers, (rows, KEYS)."""
    source, rows = np.random.default_rng(SEED), max(FEWEST, min(MOST, 200_000 // d_k))
    q = source.normal(size=(rows, 1, d_k))
    k = source.normal(size=(rows, KEYS, d_k))
    return (q * k).sum(axis=2)


def share_above(weights: Floats, limit: float = 0.99) -> float:
    """Return the share of rows (rows, keys) whose largest weight is above a limit."""
    return float((weights.max(axis=1) > limit).mean())


def random_cosines(width: int, count: int = 3000) -> Floats:
    """Return the cosines of pairs of random vectors of `width` numbers, (count,)."""
    first, second = np.random.default_rng(SEED).normal(size=(2, count, width))
    return cosines(first, second)


def cosines(first: Floats, second: Floats) -> Floats:
    """Return the cosine (n,) of each row of one array (n, D) with the same row of another."""
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return (first * second).sum(axis=1) / np.maximum(lengths, 1e-12)


def pair_cosines(vectors: Floats, count: int = 3000) -> Floats:
    """Return the cosines of random pairs of different rows of (V, D), (count,)."""
    source = np.random.default_rng(SEED)
    first = source.integers(len(vectors), size=count)
    second = (first + source.integers(1, len(vectors), size=count)) % len(vectors)
    return cosines(vectors[first], vectors[second])
