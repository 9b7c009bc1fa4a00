"""The share of attention that moved."""

import numpy as np
from numpy.typing import NDArray


def moved_share(change: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the moved share of a row (..., key): half the sum of its absolute changes.

    A NaN change, where there was nothing to compare, counts as no movement.
    """
    return np.abs(np.nan_to_num(change)).sum(axis=-1) / 2
