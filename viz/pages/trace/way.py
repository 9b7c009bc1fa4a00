"""The way of the answer through a trace: the token that it depends on, layer by layer."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from model.recording.trace import Trace

FEW = 0.05
"""A smaller move of the answer counts as none."""

MOSTLY = 0.5
"""A token whose vector alone moves the answer by this share holds it."""

Cell = tuple[int, int]
"""A token and a column of a map."""


@dataclass(frozen=True)
class Way:
    """Where the answer passes in the encoder: the `held` cells, from the input to the memory.

    They are cells whose vector alone moves most of the answer, one in a column. A column in which
    no vector does has none.
    """

    held: tuple[Cell, ...]
    columns: int
    read: Cell | None
    """The cell of the decoder from which the deciding step holds the answer, if it does."""

    @property
    def passes(self) -> tuple[tuple[Cell, Cell], ...]:
        """Return the pairs of cells between which the answer goes from a token to another."""
        return tuple((one, two) for one, two in pairwise(self.held) if one[0] != two[0])

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """Return the tokens that hold the answer at the input and in the memory, or None."""
        at = {column: token for token, column in self.held}
        return at.get(0), at.get(self.columns - 1)


def way(trace: Trace) -> Way:
    """Follow the answer through a trace of the residual stream, from the memory back to the input.

    Where several tokens hold it, the one that holds it in the next column is followed, else the
    strongest.
    """
    encoder, decoder = (
        np.nan_to_num(moves(values, trace.restored)) for values in (trace.encoder, trace.decoder)
    )
    held: list[Cell] = []
    for column in reversed(range(encoder.shape[1])):
        shares = encoder[:, column]
        token = held[-1][0] if held else 0
        if shares[token] < MOSTLY:
            token = int(shares.argmax())
        if shares[token] >= MOSTLY:
            held.append((token, column))
    taken = np.flatnonzero(decoder[-1] >= MOSTLY)
    read = (len(decoder) - 1, int(taken[0])) if taken.size else None
    return Way(tuple(reversed(held)), encoder.shape[1], read)


def moves(values: NDArray[np.float64], restored: bool) -> NDArray[np.float64]:
    """Return how far each cell moves the answer, from 0, whichever sentence runs."""
    return 1 - values if restored else values
