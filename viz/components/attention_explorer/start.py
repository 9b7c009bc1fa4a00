"""The head on which the explorer opens by default: one whose attention is sharp."""

from model.measures.sharpest import Weights, sharpest_heads, sharpest_kind
from model.sites.sites import Kind
from viz.components.attention_explorer.recording import ExplorerRecording, Start


def starting_point(recording: ExplorerRecording) -> Start:
    """Return the kind to open on, and the sharpest head of each kind."""
    weights: Weights = {kind: recording.weights(kind) for kind in recording.kinds}
    found = sharpest_heads(weights, recording.tokens, recording.special_tokens.__contains__)
    heads: dict[Kind, tuple[int, int]] = {
        kind: (one.layer, one.head) for kind, one in found.items()
    }
    return Start(sharpest_kind(found), heads)
