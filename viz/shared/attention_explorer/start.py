"""Where the explorer opens by itself: on a head on which something is to be seen."""

import numpy as np
from numpy.typing import NDArray

from model.recording.sites import Kind
from model.words import is_punctuation
from viz.shared.attention_explorer.recording import ExplorerRecording, Start

_CROSS_AHEAD = 0.6
"""Cross-attention is the easiest to read; it is opened on if at least this much as clear."""


def starting_point(recording: ExplorerRecording) -> Start:
    """Return the kind to open on and the clearest head of each kind.

    Clear is a head whose queries each look at one content word, not at themselves, the ends of
    the sentence or punctuation.
    """
    heads: dict[Kind, tuple[int, int]] = {}
    clearness: dict[Kind, float] = {}
    for kind in recording.kinds:
        clear = _clarity(recording, kind)  # L H
        layer, head = np.unravel_index(clear.argmax(), clear.shape)
        heads[kind] = int(layer), int(head)
        clearness[kind] = float(clear.max())
    clearest = max(clearness, key=clearness.__getitem__)
    if "encoder" in clearness and "cross" in clearness:
        ahead = clearness["cross"] >= _CROSS_AHEAD * clearness["encoder"]
        clearest = "cross" if ahead else "encoder"
    return Start(clearest, heads)


def _clarity(recording: ExplorerRecording, kind: Kind) -> NDArray[np.float32]:
    """Average over content queries the strongest weight on another content token, (L, H)."""
    queries, keys = recording.tokens(kind)
    special = recording.special_tokens
    content = [
        [token not in special and not is_punctuation(token) for token in side]
        for side in (queries, keys)
    ]
    allowed = np.outer(content[0], content[1])
    if kind != "cross":
        row, column = np.indices(allowed.shape)
        allowed &= np.abs(row - column) > 1
    if not allowed.any():
        return recording.weights(kind).max(axis=(2, 3))
    strongest = (recording.weights(kind) * allowed).max(axis=3)  # L H query
    return strongest[:, :, allowed.any(axis=1)].mean(axis=2)
