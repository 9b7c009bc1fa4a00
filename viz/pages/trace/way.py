"""The way of the answer through a trace: the token that it depends on, layer by layer."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from model.recording.trace import Trace

FEW = 0.05
"""A smaller move of the answer counts as none."""

MOSTLY = 0.5
"""A column whose move reaches this share has taken up the answer."""

Cell = tuple[int, int]
"""A token and a column of a map."""


@dataclass(frozen=True)
class Way:
    """Where the answer passes: `passes` lead from one token's cell to another's in the encoder.

    `ends` are the encoder's token at the input and in the memory, None where no single token moves
    the answer. `settled` is the layer from which the memory's token has most of the answer, or the
    last layer. The answer `arrives` if the memory's token has most of it. `read` is the pass from
    the memory into the decoder, if any.
    """

    passes: tuple[tuple[Cell, Cell], ...]
    ends: tuple[int | None, int | None]
    settled: int
    read: tuple[Cell, Cell] | None
    arrives: bool


def way(found: Trace) -> Way:
    """Follow the answer through a trace of the residual stream, column by column."""
    encoder, decoder = (moves(values, found.restored) for values in (found.encoder, found.decoder))
    at = [_strongest(column) for column in encoder.T]
    passes = [
        ((before, column), (now, column + 1))
        for column, (before, now) in enumerate(pairwise(at))
        if before is not None and now is not None and before != now
    ]
    last, step = at[-1], _strongest(decoder[:, -1])
    read = None
    if last is not None and step is not None:
        read = (last, len(at) - 1), (step, _taken(decoder[step]))
    settled = len(at) - 1 if last is None else _taken(encoder[last])
    arrives = last is not None and bool(abs(encoder[last, -1]) >= MOSTLY)
    return Way(tuple(passes), (at[0], last), settled, read, arrives)


def moves(values: NDArray[np.float64], restored: bool) -> NDArray[np.float64]:
    """Return how far each cell moves the answer, from 0, whichever sentence runs."""
    return 1 - values if restored else values


def _taken(row: NDArray[np.float64]) -> int:
    """Return the first column in which a token has most of the answer, or the last column."""
    found = np.flatnonzero(np.nan_to_num(np.abs(row)) >= MOSTLY)
    return int(found[0]) if found.size else len(row) - 1


def _strongest(column: NDArray[np.float64]) -> int | None:
    """Return the token that moves the answer most; None if no token moves it notably."""
    sizes = np.nan_to_num(np.abs(column))
    return int(sizes.argmax()) if sizes.max(initial=0) >= FEW else None
