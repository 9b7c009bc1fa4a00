"""What an alignment looks like, in one measured sentence: a piece per row, or one for all rows."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Pattern = Literal["column", "sharp", "spread"]

MUCH, MOST, SHARP, FEWEST = 0.4, 0.5, 0.5, 3
"""The smallest shares of a column that stands out, of one with most of all, and of a sharp row.

The last number is the fewest rows.
"""


@dataclass(frozen=True)
class Verdict:
    """One key takes most rows (`column`), each row has its own (`sharp`), or many keys share.

    A column has a `share` of all weight.
    """

    pattern: Pattern
    column: int | None = None
    share: float = 0.0


def verdict(weights: NDArray[np.floating]) -> Verdict:
    """Judge an alignment (T, S) by where its rows have their largest weights."""
    columns = np.bincount(weights.argmax(axis=1), minlength=weights.shape[1])
    column, most = int(columns.argmax()), float(weights.max(axis=1).mean())
    on_it = float(weights[:, column].mean())
    if len(weights) >= FEWEST and 2 * columns[column] > len(weights) and on_it >= MUCH:
        return Verdict("column", column, on_it)
    return Verdict("sharp" if most >= SHARP else "spread")


def shares(weights: NDArray[np.floating]) -> tuple[float, float]:
    """Return two mean weights of rows (T, S > 1): the largest before the last key, and the last.

    So two alignments are compared by the same measures, wherever they look most.
    """
    return float(weights[:, :-1].max(axis=1).mean()), float(weights[:, -1].mean())
