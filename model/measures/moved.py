"""The share of attention that moved."""

import numpy as np
from numpy.typing import NDArray


def moved_share(change: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return which share of a row (..., key) moved: half the sum of its absolute changes.

    Where a change is NaN, as there is nothing to compare with, nothing moved.
    """
    return np.abs(np.nan_to_num(change)).sum(axis=-1) / 2
