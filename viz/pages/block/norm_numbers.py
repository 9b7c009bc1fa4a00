"""Add & norm for one token, in double precision, step by step."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
EPSILON = 1e-5


@dataclass(frozen=True, eq=False)
class AddNorm:
    """All steps from x and sublayer(x), which is `added`, to the output; vectors (D,)."""

    x: Floats
    added: Floats
    total: Floats
    mean: float
    variance: float
    normed: Floats
    gain: Floats
    bias: Floats
    out: Floats

    @property
    def deviation(self) -> float:
        """Return the divisor: the square root of variance plus epsilon."""
        return float(np.sqrt(self.variance + EPSILON))


def half_width(numbers: Floats) -> float:
    """Return the distance from their mean within which two thirds of numbers (D,) lie.

    Unlike a standard deviation, a single number far away does not make it large.
    """
    return float(np.quantile(np.abs(numbers - numbers.mean()), 2 / 3))


def add_norm(
    x: Floats, added: Floats, gain: Floats, bias: Floats, residual: bool = True
) -> AddNorm:
    """Compute LayerNorm(x + added) for vectors (D,); without `residual`, LayerNorm(added)."""
    x, added = x.astype(np.float64), added.astype(np.float64)
    total = x + added if residual else added
    mean, variance = float(total.mean()), float(total.var())
    normed = (total - mean) / np.sqrt(variance + EPSILON)
    return AddNorm(x, added, total, mean, variance, normed, gain, bias, normed * gain + bias)


@dataclass(frozen=True)
class Means:
    """The means of one token and of one dimension over all tokens.

    `half` is the mean of the dimension over the first half of the tokens. With padding, `padded` is
    the mean of the dimension and `token_padded` the token's; None if nothing was padded.
    """

    of_token: float
    of_dimension: float
    half: float
    padded: float | None
    token_padded: float | None


def means(sums: Floats, token: int, dimension: int, padded: Floats | None) -> Means:
    """Take the means along both axes of sums (n, D), and of `padded` sums (m, D)."""
    half = sums[: max(1, len(sums) // 2), dimension]
    return Means(
        float(sums[token].mean()),
        float(sums[:, dimension].mean()),
        float(half.mean()),
        None if padded is None else float(padded[:, dimension].mean()),
        None if padded is None else float(padded[token].mean()),
    )
