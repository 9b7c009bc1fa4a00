"""A recording as the message to the explorer's component."""

import hashlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Kind
from model.words import word_numbers
from viz.components.attention_explorer.head_statistics import head_statistics, is_causal
from viz.components.attention_explorer.recording import MAX_TOKENS, ExplorerRecording, Start
from viz.components.attention_explorer.start import starting_point
from viz.components.head_links import head_link_texts
from viz.components.message import pack, quantise, quantise_rows


def encode(
    recording: ExplorerRecording, words: Mapping[str, str], colours: Mapping[str, object]
) -> bytes:
    """Pack a recording, the words on screen and the colours into a deflated message."""
    arrays: dict[str, NDArray[np.uint8]] = {
        kind: quantise_rows(recording.weights(kind)) for kind in recording.kinds
    }
    name = hashlib.sha256()
    for array in arrays.values():
        name.update(array.data)
    header = _header(recording, name.hexdigest()[:16], words, colours)
    arrays |= _lengths(recording, "lengths ")
    if compared := recording.other:
        arrays |= {
            f"other {kind}": quantise_rows(compared.weights(kind)) for kind in compared.kinds
        }
        arrays |= _lengths(compared, "other lengths ")
    return pack(header, arrays, deflate=True)


def _lengths(recording: ExplorerRecording, prefix: str) -> dict[str, NDArray[np.uint8]]:
    """Return the lengths of the values by kind, as shares of the longest one of each head."""
    return {
        prefix + kind: quantise(lengths / lengths.max(axis=-1, keepdims=True).clip(min=1e-9))
        for kind, lengths in (recording.lengths or {}).items()
    }


def _header(
    recording: ExplorerRecording,
    name: str,
    words: Mapping[str, str],
    colours: Mapping[str, object],
) -> dict[str, object]:
    return {
        "id": name,
        "sentence": recording.sentence,
        "translation": recording.translation,
        "checkpoint": recording.checkpoint,
        "language": recording.languages[1] if recording.languages else "",
        "limit": MAX_TOKENS,
        **_sides(recording),
        "other": recording.other and _other(recording.other),
        "kinds": {kind: _kind(recording, kind) for kind in recording.kinds},
        "start": _start(recording.start or starting_point(recording)),
        "words": dict(words),
        "headLinks": head_link_texts(),
        "offers": recording.offers,
        "colours": dict(colours),
    }


def _sides(recording: ExplorerRecording) -> dict[str, object]:
    return {
        "source": _side(recording, recording.source_tokens, recording.masked),
        "target": _side(recording, recording.target_tokens) | _predictions(recording),
    }


def _other(recording: ExplorerRecording) -> dict[str, object]:
    """Describe the recording of the other sentence of a comparison."""
    sizes = {kind: recording.weights(kind).shape for kind in recording.kinds}
    names = ("layers", "heads", "queries", "keys")
    kinds = {kind: dict(zip(names, shape, strict=True)) for kind, shape in sizes.items()}
    return {"sentence": recording.sentence, "kinds": kinds, **_sides(recording)}


def _start(start: Start) -> dict[str, object]:
    heads = {kind: list(head) for kind, head in start.heads.items()}
    return {
        "kind": start.kind,
        "heads": heads,
        "query": start.query,
        "words": start.words,
    }


def _side(
    recording: ExplorerRecording, tokens: tuple[str, ...], masked: frozenset[int] = frozenset()
) -> dict[str, object]:
    return {
        "tokens": list(tokens),
        "words": word_numbers(tokens),
        "special": [token in recording.special_tokens for token in tokens],
        "masked": [at in masked for at in range(len(tokens))],
    }


def _predictions(recording: ExplorerRecording) -> dict[str, object]:
    predicted = recording.predicted_tokens
    special = [token in recording.special_tokens for token in predicted]
    return {
        "predicted": list(predicted),
        "predictedWords": word_numbers(predicted),
        "predictedSpecial": special,
    }


def _kind(recording: ExplorerRecording, kind: Kind) -> dict[str, object]:
    layers, heads, queries, keys = recording.weights(kind).shape
    statistics = {
        name: [[round(float(value), 3) for value in row] for row in values]
        for name, values in head_statistics(recording, kind).items()
    }
    return {
        "causal": is_causal(recording, kind),
        "layers": layers,
        "heads": heads,
        "queries": queries,
        "keys": keys,
        "statistics": statistics,
    }
