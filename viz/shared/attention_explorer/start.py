"""Where the explorer opens: a layer and a few heads on which something is to be seen."""

import numpy as np
from numpy.typing import NDArray

from model.recording.sites import Kind
from model.words import is_punctuation
from viz.shared.attention_explorer.recording import ExplorerRecording

_HEADS = 3
_CROSS_AHEAD = 0.6
"""Cross-attention is the easiest to read; it is opened on if at least this much as clear."""


def starting_point(recording: ExplorerRecording) -> dict[str, dict[str, object] | str]:
    """Return the kind to open on and, for each kind, a layer and its clearest heads.

    Clear is a head whose queries each look at one content word, not at themselves, the ends of
    the sentence or punctuation.
    """
    places: dict[str, dict[str, object]] = {}
    clearness: dict[Kind, float] = {}
    for kind in recording.kinds:
        clear = _clarity(recording, kind)  # L H
        count = min(_HEADS, clear.shape[1])
        best = np.sort(clear, axis=1)[:, -count:].mean(axis=1)  # L
        layer = int(best.argmax())
        heads = np.argsort(-clear[layer], kind="stable")[:count]
        places[kind] = {"layer": layer, "heads": sorted(int(head) for head in heads)}
        clearness[kind] = float(best.max())
    clearest = max(clearness, key=clearness.__getitem__)
    if "encoder" in clearness and "cross" in clearness:
        ahead = clearness["cross"] >= _CROSS_AHEAD * clearness["encoder"]
        clearest = "cross" if ahead else "encoder"
    return {"kind": clearest, **places}


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
