"""The path of the difference of two sentences, vector by vector; cached, as compute."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.interventions.attention import TurnAttention
from model.interventions.donors import partners
from model.measures.mean_trace import MeanTrace, load_mean_trace
from model.recording.recording import Recording
from model.recording.trace import Part, Trace
from model.sites.sites import Head, Kind
from viz.compute import runs
from viz.compute.models import kept
from viz.sharing.progress import report


@dataclass(frozen=True, eq=False)
class Answer:
    """The probabilities of the two deciding pieces at their step."""

    first: float
    second: float


@kept
def trace(
    first: str,
    second: str,
    part: Part = "residual",
    restored: bool = False,
    at: tuple[int, int] | None = None,
) -> Trace:
    """Trace the second sentence in the first one, in the unchanged model.

    Raises ValueError when a text is empty, or when nothing decides between the two.
    """
    own = runs.run(first)
    options = {"restored": restored, "at": at, "progress": report}
    return runs.translator().trace(own.source, second, own.translation, part, **options)


def answer(recording: Recording, found: Trace) -> Answer:
    """Read the answer of a recording whose target begins as the trace's does."""
    row = recording.logits[len(found.decided.prefix) - 1].astype(np.float64)  # V
    likely = np.exp(row - row.max())
    first, second = (float(likely[piece] / likely.sum()) for piece in found.decided.pieces)
    return Answer(first, second)


@kept
def answers_when_turned(
    first: str, second: str, view: Head, query: int, count: int
) -> NDArray[np.float64]:
    """Return the answer (key, 2) with a query of one head turned onto each of `count` keys.

    Raises ValueError as `trace` does.
    """
    own, found = runs.run(first), trace(first, second)
    heads = ((view.layer, view.head),)
    turns = [TurnAttention(view.kind, query, (key,), heads) for key in range(count)]
    record = runs.translator().record
    likely = [answer(record(own.source, own.translation, [turn]), found) for turn in turns]
    return np.array([(one.first, one.second) for one in likely])


@kept
def rows_of_other(first: str, second: str, kind: Kind, query: int) -> NDArray[np.float64]:
    """Return the attention (L, H, key) of a query in the second sentence, by keys of the first.

    Keys and query are paired as in a trace; a row adds up to 1 again. Raises ValueError when the
    query has no partner.
    """
    own, other = runs.run(first).recording, runs.run(second).recording
    pairs: list[int | None] = list(partners(own.source_ids, other.source_ids))
    written = len(other.target_ids)
    rows = [row if row < written else None for row in range(len(own.target_ids))]
    queries, keys = (pairs if kind == "encoder" else rows), (rows if kind == "decoder" else pairs)
    partner = queries[query]
    if partner is None:
        raise ValueError("the query has no partner in the other sentence")
    weights = other.attention(kind)[:, :, partner].astype(np.float64)  # L H key
    columns = [np.zeros(weights.shape[:2]) if key is None else weights[:, :, key] for key in keys]
    found = np.stack(columns, axis=-1)  # L H key
    total = found.sum(axis=-1, keepdims=True)
    return np.divide(found, total, out=np.full_like(found, 1 / len(keys)), where=total > 0)


@dataclass(frozen=True)
class _Mean:
    found: MeanTrace | None


@kept
def _mean() -> _Mean:
    """Read the file of the model in force; None when it is missing or of other weights."""
    loaded = runs.translator()
    try:
        found = load_mean_trace(loaded.folder)
    except ValueError:
        return _Mean(None)
    return _Mean(found if found.sha256 == loaded.card.get("sha256", "") else None)


def mean() -> MeanTrace | None:
    """Return the mean trace of held-out pairs; None if these weights were not measured."""
    return _mean().found
