"""The head on which the explorer opens by default: one whose attention is sharp."""

from model.measures.sharpest import Weights, sharpest_heads, sharpest_kind
from model.sites.sites import Kind
from viz.components.attention_explorer.recording import ExplorerRecording, Start


def starting_point(recording: ExplorerRecording) -> Start:
    """Return the kind to open on, and the sharpest head of each kind."""
    weights: Weights = {kind: recording.weights(kind) for kind in recording.kinds}
    sharpest = sharpest_heads(weights, recording.tokens, recording.special_tokens.__contains__)
    heads: dict[Kind, tuple[int, int]] = {
        kind: (head.layer, head.head) for kind, head in sharpest.items()
    }
    return Start(sharpest_kind(sharpest), heads)
