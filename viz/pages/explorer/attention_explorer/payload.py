"""One recording as one run of bytes: `[u32 header length][JSON header][deflated uint8 weights]`."""

import hashlib
import json
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from viz.pages.explorer.attention_explorer.head_statistics import head_statistics
from viz.pages.explorer.attention_explorer.recording import (
    KINDS,
    MAX_TOKENS,
    ExplorerRecording,
    Kind,
)
from viz.pages.explorer.attention_explorer.start import starting_point
from viz.pages.explorer.attention_explorer.tokens import word_numbers

LEVELS = 255
_DEFLATE_LEVEL = 3  # a third of level 6's time for 4 % more bytes


def quantise(weights: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Round weights to multiples of 1/255 so that every row keeps its sum.

    Each weight is rounded down or up (an error below 1/255); the largest remainders go up until
    the row adds up. Plain rounding would let the diffuse rows of long sentences lose a third of
    their mass.
    """
    scaled = np.clip(weights, 0, 1).astype(np.float64) * LEVELS
    low = np.floor(scaled)
    missing = np.rint(scaled.sum(axis=-1)) - low.sum(axis=-1)
    order = np.argsort(low - scaled, axis=-1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(order.shape[-1])[(None,) * (order.ndim - 1)], -1)
    return (low + (rank < missing[..., None])).clip(0, LEVELS).astype(np.uint8)


def encode(
    recording: ExplorerRecording, words: Mapping[str, str], colours: Mapping[str, object]
) -> bytes:
    """Pack a recording, the words on screen and the colours into the component's message."""
    arrays = {kind: quantise(recording.weights(kind)) for kind in KINDS}
    body = zlib.compress(b"".join(arrays[kind].tobytes() for kind in KINDS), _DEFLATE_LEVEL)
    header = json.dumps(_header(recording, body, words, colours), ensure_ascii=False).encode()
    return len(header).to_bytes(4, "little") + header + body


def _header(
    recording: ExplorerRecording,
    body: bytes,
    words: Mapping[str, str],
    colours: Mapping[str, object],
) -> dict[str, object]:
    return {
        "id": hashlib.sha256(body).hexdigest()[:16],
        "sentence": recording.sentence,
        "translation": recording.translation,
        "checkpoint": recording.checkpoint,
        "limit": MAX_TOKENS,
        "source": _side(recording, recording.source_tokens),
        "target": _side(recording, recording.target_tokens) | _predictions(recording),
        "kinds": {kind: _kind(recording, kind) for kind in KINDS},
        "start": starting_point(recording),
        "words": dict(words),
        "colours": dict(colours),
    }


def _side(recording: ExplorerRecording, tokens: tuple[str, ...]) -> dict[str, object]:
    return {
        "tokens": list(tokens),
        "words": word_numbers(tokens, recording.special_tokens),
        "special": [token in recording.special_tokens for token in tokens],
    }


def _predictions(recording: ExplorerRecording) -> dict[str, object]:
    predicted = recording.predicted_tokens
    special = [token in recording.special_tokens for token in predicted]
    return {"predicted": list(predicted), "predictedSpecial": special}


def _kind(recording: ExplorerRecording, kind: Kind) -> dict[str, object]:
    layers, heads, queries, keys = recording.weights(kind).shape
    statistics = {
        name: [[round(float(value), 3) for value in row] for row in values]
        for name, values in head_statistics(recording, kind).items()
    }
    return {
        "causal": kind == "decoder" and not np.triu(recording.weights(kind), k=1).any(),
        "layers": layers,
        "heads": heads,
        "queries": queries,
        "keys": keys,
        "statistics": statistics,
    }
