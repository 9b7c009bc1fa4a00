"""What a head takes, beside where it looks: weight times the length of the value.

A head that looks at a short value writes little, whatever its weights say: they always sum to 1.
"""

import numpy as np
from numpy.typing import NDArray

from model.recording.recording import Recording
from model.sites.sites import Head, Kind, attention_site

Floats = NDArray[np.float32]


def value_lengths(recording: Recording, kind: Kind) -> Floats:
    """Return the lengths of the values of a kind of attention, (L, H, key)."""
    layers = range(recording.made_by.layers(kind))
    sites = [attention_site(kind, layer, "v") for layer in layers]
    return np.stack([np.linalg.norm(recording[site], axis=-1) for site in sites])


def taken(weights: Floats, lengths: Floats) -> Floats:
    """Return weights (..., query, key) times lengths (..., key), beside each head's longest value.

    A row sums to 1 if all its weight lies on the longest value, and to less otherwise.
    """
    longest = lengths.max(axis=-1, keepdims=True).clip(min=1e-9)
    return weights * (lengths / longest)[..., None, :]


def emptiest(recording: Recording) -> Head:
    """Return the head that takes least, on the mean of its rows, of all weight that it has.

    The first row of the decoder has one key, and does not count. Raises ValueError for a sentence
    with no other row.
    """
    least = dict[Head, float]()
    for kind in recording.made_by.kinds:
        rows = taken(recording.attention(kind), value_lengths(recording, kind)).sum(axis=-1)
        if kind == "decoder":
            rows = rows[..., 1:]
        if rows.shape[-1]:
            layer, head = np.unravel_index(rows.mean(axis=-1).argmin(), rows.shape[:2])
            least[Head(kind, int(layer), int(head))] = float(rows.mean(axis=-1)[layer, head])
    if not least:
        raise ValueError("this sentence has no row with several keys")
    return min(least, key=lambda head: least[head])
