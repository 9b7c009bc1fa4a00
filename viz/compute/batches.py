"""Two sentences run through the encoder as one batch, padded to the length of the longer."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from viz.compute import runs
from viz.compute.models import kept

Side = Literal["right", "left"]


@dataclass(frozen=True, eq=False)
class Batch:
    """Ids (B, S) with padding, where they are real (B, S), and the encoder's output.

    `off` (B,) is the largest difference between a sentence's memory here and alone.
    """

    ids: NDArray[np.int64]
    real: NDArray[np.bool_]
    tokens: tuple[tuple[str, ...], ...]
    off: tuple[float, ...]


@kept
def batch(sentences: tuple[str, ...], side: Side) -> Batch:
    """Pad sentences to the longest; ValueError when a sentence is empty."""
    loaded = runs.translator()
    sources = [runs.source(sentence).ids for sentence in sentences]
    length, pad = max(map(len, sources)), loaded.config.pad_id
    rows, off = [], []
    for source in sources:
        fill = [pad] * (length - len(source))
        rows.append([*source, *fill] if side == "right" else [*fill, *source])
    ids = torch.tensor(rows)  # B S
    with torch.inference_mode():
        together = loaded.model.encode(ids)[0]  # B S D
        for row, source in enumerate(sources):
            start = 0 if side == "right" else length - len(source)
            alone = loaded.model.encode(torch.tensor([source]))[0][0]  # s D
            padded = together[row, start : start + len(source)]
            off.append(float((padded - alone).abs().max()))
    return Batch(
        ids.numpy(),
        (ids != pad).numpy(),
        tuple(tuple(loaded.tokenizer.tokens(row)) for row in rows),
        tuple(off),
    )


@dataclass(frozen=True)
class Unknown:
    """The pieces of a text, and its pieces as they would be with `<unk>` for unknown characters.

    `by_bytes` is True if the vocabulary spells such characters with bytes.
    """

    pieces: tuple[str, ...]
    with_unknown: tuple[str, ...]
    back: str
    by_bytes: bool


def unknown(text: str) -> Unknown:
    """Cut a text into pieces, with and without byte fallback."""
    tokenizer = runs.translator().tokenizer
    ids = tokenizer.encode(text)
    pieces = tokenizer.tokens(ids)
    merged: list[str] = []
    for piece in pieces:
        as_byte = piece.startswith("<0x")
        if as_byte and merged and merged[-1] == "<unk>":
            continue
        merged.append("<unk>" if as_byte else piece)
    by_bytes = any(map(tokenizer.is_byte, range(len(tokenizer))))
    return Unknown(tuple(pieces), tuple(merged), tokenizer.decode(ids), by_bytes)
