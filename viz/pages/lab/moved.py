"""Which heads moved most, before against after or between two sentences."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Head, Kind
from viz.pages.lab.difference import UNSEEN


def most_moved(shares: Mapping[Kind, NDArray[np.floating]]) -> list[tuple[float, Head]]:
    """List the heads whose share (L, H) moved as far as one can see, most first."""
    heads = [
        (float(share), Head(kind, layer, head))
        for kind, moved in shares.items()
        for (layer, head), share in np.ndenumerate(moved)
        if share >= UNSEEN
    ]
    return sorted(heads, key=lambda entry: -entry[0])
