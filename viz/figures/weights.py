"""Attention weights as numbers: computed from scores, and their sharpness."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def softmax(scores: Floats) -> Floats:
    """Turn scores (..., S) into weights that sum to 1; -inf becomes 0."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def entropy(weights: Floats) -> float:
    """Return the entropy of a distribution in nats: 0 on one key, log(n) when spread over n."""
    some = weights[weights > 0]
    return float(abs((some * np.log(some)).sum()))


def sharpness(weights: NDArray[np.float32]) -> tuple[float, float]:
    """Return the mean entropy of attention rows in nats, and their mean largest weight."""
    rows = weights.astype(np.float64)
    logs = np.log(np.where(rows > 0, rows, 1))
    return float(-(rows * logs).sum(axis=-1).mean()), float(rows.max(axis=-1).mean())


def on_itself(weights: NDArray[np.float32]) -> float:
    """Return the mean weight of a query on its own piece, of weights (..., n, n)."""
    return float(np.diagonal(weights, axis1=-2, axis2=-1).mean())
