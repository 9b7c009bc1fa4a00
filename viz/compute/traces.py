"""The path of the difference of two sentences, vector by vector; cached."""

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
    """Trace the second sentence in the first, in the unchanged model.

    Raises ValueError when a text is empty, or when nothing decides between the two.
    """
    run = runs.run(first)
    options = {"restored": restored, "at": at, "progress": report}
    return runs.translator().trace(run.source, second, run.translation, part, **options)


def answer(recording: Recording, trace: Trace) -> Answer:
    """Read the answer of a recording whose target begins as the trace's does."""
    row = recording.logits[len(trace.decided.prefix) - 1].astype(np.float64)  # V
    likely = np.exp(row - row.max())
    first, second = (float(likely[piece] / likely.sum()) for piece in trace.decided.pieces)
    return Answer(first, second)


@kept
def answers_when_turned(
    first: str, second: str, view: Head, query: int, count: int
) -> NDArray[np.float64]:
    """Return the answers (count, 2) with a query of one head turned onto each of `count` keys.

    Raises ValueError as `trace` does.
    """
    run, traced = runs.run(first), trace(first, second)
    heads = ((view.layer, view.head),)
    turns = [TurnAttention(view.kind, query, (key,), heads) for key in range(count)]
    record = runs.translator().record
    likely = [answer(record(run.source, run.translation, [turn]), traced) for turn in turns]
    return np.array([(answer_.first, answer_.second) for answer_ in likely])


@kept
def rows_of_other(first: str, second: str, kind: Kind, query: int) -> NDArray[np.float64]:
    """Return the attention (L, H, key) of a query in the second sentence, by keys of the first.

    Keys and query are paired as in a trace; rows are scaled to add up to 1. Raises ValueError when
    the query has no partner.
    """
    first_recording, second_recording = runs.run(first).recording, runs.run(second).recording
    pairs: list[int | None] = list(
        partners(first_recording.source_ids, second_recording.source_ids)
    )
    written = len(second_recording.target_ids)
    rows = [row if row < written else None for row in range(len(first_recording.target_ids))]
    queries, keys = (pairs if kind == "encoder" else rows), (rows if kind == "decoder" else pairs)
    partner = queries[query]
    if partner is None:
        raise ValueError("the query has no partner in the other sentence")
    weights = second_recording.attention(kind)[:, :, partner].astype(np.float64)  # L H key
    columns = [np.zeros(weights.shape[:2]) if key is None else weights[:, :, key] for key in keys]
    query_rows = np.stack(columns, axis=-1)  # L H key
    total = query_rows.sum(axis=-1, keepdims=True)
    return np.divide(
        query_rows, total, out=np.full_like(query_rows, 1 / len(keys)), where=total > 0
    )


@dataclass(frozen=True)
class _Mean:
    trace: MeanTrace | None


@kept
def _mean() -> _Mean:
    """Read the file of the model in force; None when it is missing or of other weights."""
    loaded = runs.translator()
    try:
        trace_ = load_mean_trace(loaded.folder)
    except ValueError:
        return _Mean(None)
    return _Mean(trace_ if trace_.sha256 == loaded.card.get("sha256", "") else None)


def mean() -> MeanTrace | None:
    """Return the mean trace of held-out pairs; None if these weights were not measured."""
    return _mean().trace
