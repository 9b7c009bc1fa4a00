"""What an alignment looks like, in one measured sentence: a piece per row, or one for all rows."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Pattern = Literal["column", "sharp", "end", "spread"]

MUCH, MOST, FEWEST = 0.4, 0.5, 3
"""The smallest share of a column that stands out, the share above which it is "mostly", and rows.

The last number is the fewest rows.
"""


@dataclass(frozen=True)
class Verdict:
    """One key takes most rows (`column`), each row has its own (`sharp`), or many keys share.

    In between (`end`), each row has its own key or the last one, the end. `share` is the weight of
    the column, or else of a row's largest, in the mean over the rows.
    """

    pattern: Pattern
    share: float
    column: int | None = None


def verdict(weights: NDArray[np.floating], ended: bool = False) -> Verdict:
    """Judge an alignment (T, S) by where its rows have their largest weights.

    If its keys are `ended` by an end token, a row's largest weight is that of another key, as in
    `shares`.
    """
    columns = np.bincount(weights.argmax(axis=1), minlength=weights.shape[1])
    means = weights.mean(axis=0)
    column = int(columns.argmax())
    stands_out = 2 * columns[column] > len(weights) and column == int(means.argmax())
    if len(weights) >= FEWEST and stands_out and means[column] >= MUCH:
        return Verdict("column", float(means[column]), column)
    largest = float(weights.max(axis=1).mean())
    share = shares(weights)[0] if ended else largest
    if is_most(share):
        return Verdict("sharp", share)
    return Verdict("end" if ended and is_most(largest) else "spread", share)


def is_most(share: float) -> bool:
    """Tell whether a share is most of a whole, also as it is written, in per cent."""
    return round(share, 2) > MOST


def shares(weights: NDArray[np.floating]) -> tuple[float, float]:
    """Return two mean weights of rows (T, S > 1): the largest before the last key, and the last.

    So two alignments are compared by the same measures, wherever they look most.
    """
    return float(weights[:, :-1].max(axis=1).mean()), float(weights[:, -1].mean())
