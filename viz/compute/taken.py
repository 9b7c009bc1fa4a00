"""What heads take of a recording, beside where they look, and the head that takes least."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.measures import taken as measured
from model.recording.recording import Recording
from model.sites.sites import Head, Kind

Floats = NDArray[np.float32]


def value_lengths(recording: Recording) -> dict[Kind, Floats] | None:
    """Return the lengths (L, H, key) of the values of each kind; None in a recurrent model."""
    if recording.made_by.kind != "transformer":
        return None
    return {kind: measured.value_lengths(recording, kind) for kind in recording.made_by.kinds}


def taken(recording: Recording, kind: Kind) -> Floats:
    """Return each weight times its value's length over the head's longest: (L, H, query, key)."""
    return measured.taken(recording.attention(kind), measured.value_lengths(recording, kind))


@dataclass(frozen=True, eq=False)
class Sink:
    """The head that takes least, the key that gets most of its weight, and the lengths of values.

    `weight` is that on the key, `written` the length of z, both as means over the rows with several
    keys. `own` is the length of the key's value, `others` are those of all others.
    """

    head: Head
    key: str
    weight: float
    own: float
    others: Floats
    written: float


def sink(recording: Recording) -> Sink:
    """Measure the head that takes least; ValueError for a sentence without several keys."""
    head = measured.emptiest(recording)
    rows = slice(1 if head.kind == "decoder" else 0, None)
    weights = recording.part(head.kind, head.layer, "weights")[head.head, rows].mean(axis=0)
    lengths = measured.value_lengths(recording, head.kind)[head.layer, head.head]
    z = recording.part(head.kind, head.layer, "z")[head.head, rows]
    key = int(weights.argmax())
    return Sink(
        head,
        recording.tokens(head.kind)[1][key],
        float(weights[key]),
        float(lengths[key]),
        np.delete(lengths, key),
        float(np.linalg.norm(z, axis=-1).mean()),
    )
