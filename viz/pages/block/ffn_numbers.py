"""The feed-forward network of a layer, computed in numpy."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {
    "relu": lambda x: np.maximum(x, 0),
    "swish": lambda x: x / (1 + np.exp(-x)),
    "gelu": lambda x: x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2,
    "none": lambda x: x,
}


@dataclass(frozen=True, eq=False)
class FeedForward:
    """W1 (D, F), b1 (F,), W2 (F, D), b2 (D,) of one layer, and the activation between them."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    activation: str = "relu"

    def after(self, before: Floats) -> Floats:
        """Apply the activation: the paper's is max(0, x)."""
        return ACTIVATIONS[self.activation](before)

    def before(self, x: Floats) -> Floats:
        """Map x (..., D) to the values before the activation (..., F)."""
        return x.astype(np.float64) @ self.first + self.first_bias

    def __call__(self, x: Floats) -> Floats:
        """Map x (..., D) to the output of the network (..., D)."""
        return self.after(self.before(x)) @ self.second + self.second_bias

    def as_convolution(self, x: Floats) -> Floats:
        """Map x (n, D) to the same output with two convolutions of width 1 over the positions."""
        hidden = self.after(_slide(x.astype(np.float64), self.first[None]) + self.first_bias)
        return _slide(hidden, self.second[None]) + self.second_bias


def _slide(x: Floats, kernel: Floats) -> Floats:
    """Slide a kernel (width, in, out) over positions (n, in): a convolution without padding."""
    width, flat = len(kernel), kernel.reshape(-1, kernel.shape[-1])
    windows = [x[at : at + width].ravel() for at in range(len(x) - width + 1)]
    return np.stack([window @ flat for window in windows])


def silent(hidden: Floats) -> list[int]:
    """Return the tokens of (n, F) at which no unit fires."""
    return [int(token) for token in np.flatnonzero(~(hidden > 0).any(axis=1))]


def ends(values: Floats, count: int, without: tuple[int, ...] = ()) -> tuple[list[int], list[int]]:
    """Return the places of the `count` largest and smallest of (V,), largest and smallest first.

    Places in `without` are left out.
    """
    left = np.setdiff1d(np.arange(len(values)), np.array(without, dtype=int))
    order = left[np.argsort(-values[left], kind="stable")]
    return [int(at) for at in order[:count]], [int(at) for at in order[::-1][:count]]
