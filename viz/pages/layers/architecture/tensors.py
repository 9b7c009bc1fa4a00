"""What the blocks of the architecture hand on, as levels of colour, for the browser."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.recording.recording import Recording
from viz.components.message import quantise
from viz.compute import runs
from viz.figures.theme import token_text
from viz.figures.weights import softmax
from viz.pages.layers.architecture.blocks import SOFTMAX
from viz.pages.layers.numbers import likely_pieces

PIECES = 16
"""The pieces of the vocabulary whose scores and probabilities are shown."""
COLUMNS = 256
"""The most dimensions that are drawn; of more dimensions, only every n-th is drawn."""
_CLIPPED = 0.97
"""The share of a tensor's numbers within the scale: a few large numbers would make it pale."""

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor's `levels` (n, columns) from 0 to 255, which stand for -`most` to `most`.

    A tensor of probabilities is not `signed`: its levels stand for 0 to `most`. `pieces` name the
    columns if they are pieces. One of `step` columns is drawn.
    """

    levels: NDArray[np.uint8]
    most: float
    signed: bool
    step: int
    pieces: Sequence[str]


def tensor_of(recording: Recording, site: str) -> Tensor:
    """Return the tensor of a block, by its site; of the output only the likeliest pieces."""
    if site not in (SOFTMAX, "decoder.logits"):
        return drawn(recording[site])
    likely = likely_pieces(recording.logits, PIECES)
    pieces = [token_text(token) for token in runs.token_names(likely)]
    if site == SOFTMAX:
        odds = softmax(recording.logits.astype(np.float64))[:, likely]
        return Tensor(quantise(odds), 1.0, False, 1, pieces)
    drawn_logits = drawn(recording.logits[:, likely])
    return Tensor(drawn_logits.levels, drawn_logits.most, True, 1, pieces)


def drawn(values: Floats) -> Tensor:
    """Return numbers (n, D) on a signed scale."""
    step = -(-values.shape[1] // COLUMNS)
    shown = values[:, ::step]
    most = float(np.quantile(np.abs(shown), _CLIPPED)) or 1e-9
    levels = quantise((np.clip(shown / most, -1, 1) + 1) / 2)
    return Tensor(levels, most, True, step, [])
