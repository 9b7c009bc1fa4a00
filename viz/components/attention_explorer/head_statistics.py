"""Statistics of each head on this sentence, as numbers between 0 and 1."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Kind
from model.words import is_punctuation
from viz.components.attention_explorer.recording import ExplorerRecording

Statistic = Literal[
    "previous", "next", "itself", "first", "last", "punctuation", "entropy", "sparsity", "diagonal"
]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)

_BAND = 0.15
"""The largest distance from the diagonal that counts as diagonal, as a share of the keys."""


_MOST = 0.9
"""The share of a row that its strongest keys must make up."""

_ROUNDING = 1e-5
"""The most that single precision adds to or takes from a sum of weights."""


def statistics_of(kind: Kind) -> tuple[Statistic, ...]:
    """Return the statistics that have a meaning for a kind.

    Query t and key t are the same token only in self-attention. In cross-attention the question is
    how diagonal a head is.
    """
    if kind == "cross":
        return ("diagonal", "first", "last", "punctuation", "entropy", "sparsity")
    in_self_attention = (
        "previous",
        "next",
        "itself",
        "first",
        "last",
        "punctuation",
        "entropy",
        "sparsity",
    )
    return (
        in_self_attention
        if kind == "encoder"
        else tuple(name for name in in_self_attention if name != "next")
    )


def head_statistics(
    recording: ExplorerRecording, kind: Kind
) -> dict[Statistic, NDArray[np.float32]]:
    """Return each statistic of a kind, (L, H).

    Most are shares: the weight on the previous, next, same, first or last key or on punctuation, as
    a mean over the queries that have such a key. "diagonal" is the weight near the line from corner
    to corner: within 15 % of the keys, or within one key. "entropy" is divided by its maximum, the
    log of the number of visible keys. An evenly spread row needs 90 % of its keys to reach 90 % of
    its weight; "sparsity" is the share of these keys that a row does not need. Both are means over
    the queries that see two keys or more.
    """
    weights = recording.weights(kind)  # L H query key
    visible = visible_keys(recording, kind)
    marks = _marks(recording, kind)
    statistics: dict[Statistic, NDArray[np.float32]] = {}
    for name in statistics_of(kind):
        if name == "entropy":
            statistics[name] = _entropy(weights, visible)
        elif name == "sparsity":
            statistics[name] = _sparsity(weights, visible)
        else:
            statistics[name] = _share(weights, marks[name])
    return statistics


def is_causal(recording: ExplorerRecording, kind: Kind) -> bool:
    """Return True if no query looks at a later token of its own side."""
    return kind == "decoder" and not np.triu(recording.weights(kind), k=1).any()


def visible_keys(recording: ExplorerRecording, kind: Kind) -> NDArray[np.int64]:
    """Count the keys that each query can see, (T,): neither later nor masked keys."""
    queries, keys = recording.tokens(kind)
    if is_causal(recording, kind):
        return np.arange(1, len(queries) + 1)
    masked = 0 if kind == "decoder" else len(recording.masked)
    return np.full(len(queries), len(keys) - masked)


def _marks(recording: ExplorerRecording, kind: Kind) -> dict[Statistic, NDArray[np.bool_]]:
    """Mark the cells (query, key) that count for each share, by the share's name."""
    queries, keys = recording.tokens(kind)
    row = np.arange(len(queries))[:, None]
    column = np.arange(len(keys))[None, :]
    everywhere = np.ones((len(queries), len(keys)), dtype=bool)
    punctuation = np.array(
        [is_punctuation(key) and key not in recording.special_tokens for key in keys]
    )
    slope = max(len(keys) - 1, 1) / max(len(queries) - 1, 1)
    distance = np.abs(column - row * slope)
    return {
        "previous": column == row - 1,
        "next": column == row + 1,
        "itself": column == row,
        "first": everywhere & (column == 0),
        "last": everywhere & (column == len(keys) - 1),
        "punctuation": everywhere & punctuation[None, :],
        "diagonal": distance <= max(1.0, _BAND * len(keys)),
    }


def _share(weights: NDArray[np.float32], mark: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the mean weight (L, H) on marked keys, over the queries with a marked key."""
    rows = mark.any(axis=1)
    if not rows.any():
        return np.zeros(weights.shape[:2], dtype=np.float32)
    return (weights * mark).sum(axis=3)[:, :, rows].mean(axis=2)


def _entropy(weights: NDArray[np.float32], visible: NDArray[np.int64]) -> NDArray[np.float32]:
    terms = -weights * np.log(np.where(weights > 0, weights, 1))
    return _mean_of_rows(terms.sum(axis=3) / np.log(np.maximum(visible, 2)), visible)


def _sparsity(weights: NDArray[np.float32], visible: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the mean share (L, H) of an even row's keys that the rows do not need."""
    strongest = -np.sort(-weights, axis=3)
    before = strongest.cumsum(axis=3) - strongest
    needed = (before < _MOST * weights.sum(axis=3, keepdims=True) - _ROUNDING).sum(axis=3)
    even = np.ceil(_MOST * visible - _ROUNDING)
    return _mean_of_rows(1 - np.minimum(needed / np.maximum(even, 1), 1), visible)


def _mean_of_rows(values: NDArray[np.floating], visible: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the mean of values (L, H, T) over the queries that see several keys, or 0."""
    rows = values[:, :, visible > 1]
    return (rows.sum(axis=2) / max(rows.shape[2], 1)).astype(np.float32)
