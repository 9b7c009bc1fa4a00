"""The mean of many traces, which shows what sentences of a kind share."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.recording.trace import Trace

MEAN_TRACE = "trace.npz"

ROLES = ("noun", "other noun", "it", "adjective", "other words")
"""The possible roles of a piece in a sentence with "it": part of its noun, and so on."""

ROWS = ("deciding", "earlier")
"""The roles of decoder rows: the deciding step, or an earlier one."""


@dataclass(frozen=True, eq=False)
class MeanTrace:
    """The mean movement of the answer by role: `encoder` (roles, columns), `decoder` likewise.

    In each pair, a role has the value of the piece that moves the answer most. Of `pairs` pairs,
    `traced` were traced: the pairs in which the model answers both sentences correctly.
    """

    encoder: NDArray[np.float64]
    decoder: NDArray[np.float64]
    pairs: int
    traced: int
    sha256: str


def by_role(values: NDArray[np.float64], places: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return the largest movement of each role: (tokens, columns) -> (roles, columns), else NaN."""
    movements = np.full((len(places), values.shape[1]), np.nan)
    for row, tokens in zip(movements, places, strict=True):
        some = values[list(tokens)]  # n columns
        for column in range(values.shape[1]):
            measured = some[:, column][~np.isnan(some[:, column])]
            if len(measured):
                row[column] = measured[np.abs(measured).argmax()]
    return movements


def mean_trace(
    traces: Sequence[Trace], roles: Sequence[Sequence[Sequence[int]]], pairs: int, sha256: str
) -> MeanTrace:
    """Average traces whose pieces have these roles, in the order of ROLES.

    Raises ValueError when there is no trace.
    """
    if not traces:
        raise ValueError("no pair was answered rightly: there is nothing to average")
    encoder = [by_role(trace.encoder, places) for trace, places in zip(traces, roles, strict=True)]
    decoder: list[NDArray[np.float64]] = []
    for trace in traces:
        last = len(trace.decoder) - 1
        decoder.append(by_role(trace.decoder, [[last], range(last)]))
    return MeanTrace(_mean(encoder), _mean(decoder), pairs, len(traces), sha256)


def _mean(values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the mean of the known values; NaN where there is none."""
    stacked = np.stack(values)
    known = ~np.isnan(stacked)
    total, count = np.where(known, stacked, 0).sum(axis=0), known.sum(axis=0)
    return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)


def pack_mean_trace(trace: MeanTrace) -> bytes:
    """Write a mean trace as the bytes of trace.npz."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        encoder=trace.encoder.astype(np.float32),
        decoder=trace.decoder.astype(np.float32),
        pairs=np.array(trace.pairs),
        traced=np.array(trace.traced),
        sha256=np.array(trace.sha256),
    )
    return file.getvalue()


def load_mean_trace(folder: Path) -> MeanTrace:
    """Read the mean trace of a checkpoint folder; ValueError names the file when it is damaged."""
    path = folder / MEAN_TRACE
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            encoder, decoder = (file[name].astype(np.float64) for name in ("encoder", "decoder"))
            numbers = int(file["pairs"]), int(file["traced"])
            if (len(encoder), len(decoder)) != (len(ROLES), len(ROWS)):
                raise ValueError(f"roles expected, got {encoder.shape} and {decoder.shape}")
            return MeanTrace(encoder, decoder, *numbers, str(file["sha256"]))
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: not the mean trace of a model ({error})") from error
