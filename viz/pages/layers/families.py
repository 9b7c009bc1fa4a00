"""The masks of an encoder, a decoder, and both, over the pieces of source and target."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Family = Literal["encoder", "decoder", "both"]
FAMILIES: tuple[Family, ...] = ("encoder", "decoder", "both")

HIDDEN, ENCODER, DECODER, CROSS = 0, 1, 2, 3
"""The values of a cell: hidden, seen by self-attention of a stack, or by cross-attention."""


@dataclass(frozen=True)
class Masks:
    """The masks of one pass: encoder (S, S), decoder (T, T), cross (T, S), True where allowed."""

    encoder: NDArray[np.bool_]
    decoder: NDArray[np.bool_]
    cross: NDArray[np.bool_]


def cells(family: Family, masks: Masks) -> NDArray[np.int64]:
    """Return the cells (query, key): (S, S) for an encoder alone, otherwise (S + T, S + T).

    A decoder alone reads source and target as one text, with one look-ahead mask.
    """
    source, target = len(masks.encoder), len(masks.decoder)
    if family == "encoder":
        return np.where(masks.encoder, ENCODER, HIDDEN)
    if family == "decoder":
        return np.where(np.tri(source + target, dtype=np.bool_), DECODER, HIDDEN)
    grid = np.full((source + target, source + target), HIDDEN)
    grid[:source, :source] = np.where(masks.encoder, ENCODER, HIDDEN)
    grid[source:, source:] = np.where(masks.decoder, DECODER, HIDDEN)
    grid[source:, :source] = np.where(masks.cross, CROSS, HIDDEN)
    return grid


def block_parameters(family: Family, width: int, outer: int) -> int:
    """Count the parameters of one block; for "both", of an encoder's and a decoder's together."""
    attention, norm = 4 * (width * width + width), 2 * width
    plain = attention + 2 * width * outer + outer + width + 2 * norm
    return 2 * plain + attention + norm if family == "both" else plain
