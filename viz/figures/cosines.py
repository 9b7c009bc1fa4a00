"""The similarity of vectors."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def cosines(vectors: Floats) -> Floats:
    """Return the cosine of every vector (n, D) with every other, (n, n).

    The cosines of a zero vector are 0.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.maximum(lengths, 1e-12)
    return units @ units.T
