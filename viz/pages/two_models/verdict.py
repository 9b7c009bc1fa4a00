"""What an alignment looks like, in one measured sentence: one piece a row, or one for all rows."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Pattern = Literal["column", "sharp", "spread"]

MUCH, SHARP, FEWEST = 0.4, 0.5, 3
"""The least share of a column that stands out, the least of a sharp row, and the fewest rows."""


@dataclass(frozen=True)
class Verdict:
    """One key takes most rows (`column`), each row has one of its own (`sharp`), or many share.

    `share` is the mean weight: on that key, or on each row's largest.
    """

    pattern: Pattern
    share: float
    column: int | None = None


def verdict(weights: NDArray[np.floating]) -> Verdict:
    """Judge an alignment (T, S) by where its rows have their largest weights."""
    columns = np.bincount(weights.argmax(axis=1), minlength=weights.shape[1])
    column, most = int(columns.argmax()), float(weights.max(axis=1).mean())
    on_it = float(weights[:, column].mean())
    if len(weights) >= FEWEST and 2 * columns[column] > len(weights) and on_it >= MUCH:
        return Verdict("column", on_it, column)
    return Verdict("sharp" if most >= SHARP else "spread", most)
