"""The heads whose attention moved most, by a change or between two sentences."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Head, Kind
from viz.pages.lab.difference import UNSEEN


def most_moved(shares: Mapping[Kind, NDArray[np.floating]]) -> list[tuple[float, Head]]:
    """List the heads whose share (L, H) that moved is large enough to be seen, largest first."""
    heads = [
        (float(share), Head(kind, layer, head))
        for kind, moved in shares.items()
        for (layer, head), share in np.ndenumerate(moved)
        if share >= UNSEEN
    ]
    return sorted(heads, key=lambda entry: -entry[0])
