"""Numbers about a token's vector from layer to layer."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viz.figures.weights import softmax

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Guesses:
    """The most probable pieces at each depth: ids and probabilities, (depth, top)."""

    ids: NDArray[np.intp]
    probabilities: Floats


def norms(vectors: Floats) -> Floats:
    """Return the Euclidean length (n,) of each row of (n, D)."""
    return np.linalg.norm(vectors.astype(np.float64), axis=-1)


def contribution(before: Floats, added: Floats) -> float:
    """Return the share of `added` (D,) in before + added, as LayerNorm sees it: without the mean.

    The share is the projection on the sum, <added, sum> / <sum, sum>, so the shares of both parts
    add up to 1. It is negative for a part that points against the sum, and 0 if the sum is
    constant.
    """
    stream, written = (part - part.mean() for part in (before.astype(float), added.astype(float)))
    total = stream + written
    square = float(total @ total)
    return float(written @ total) / square if square > 0 else 0.0


def logit_lens(stream: Floats, matrix: Floats, bias: Floats, top: int) -> Guesses:
    """Apply the output layer (V, D) and its bias (V,) to one token's vectors (depth, D).

    Returns the `top` most probable pieces at each depth.
    """
    probabilities = softmax((stream @ matrix.T + bias).astype(np.float64))  # depth V
    some = np.argpartition(-probabilities, top - 1, axis=1)[:, :top]
    chances = np.take_along_axis(probabilities, some, axis=1)
    order = np.argsort(-chances, axis=1, kind="stable")
    return Guesses(
        np.take_along_axis(some, order, axis=1), np.take_along_axis(chances, order, axis=1)
    )


def likely_pieces(logits: Floats, count: int) -> NDArray[np.intp]:
    """Return the ids of the pieces most probable in any row of (n, V), by their best rows."""
    probabilities = softmax(logits.astype(np.float64))  # n V
    likely = np.argsort(-probabilities.max(axis=0), kind="stable")[:count]
    return likely[np.argsort(probabilities[:, likely].argmax(axis=0), kind="stable")]
