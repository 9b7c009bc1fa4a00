"""The head that tells two sentences apart: its attention moves from one word to another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Kind
from model.words import Span


@dataclass(frozen=True)
class Looks:
    """A query of a kind of attention, and two words that it may look at, all as pieces.

    `first` and `second` are the weights (L, H, key) of this query in the first and in the second
    sentence. `one` and `other` are the pieces of the two words, each in the first and in the second
    sentence, None where a sentence has no such word.
    """

    kind: Kind
    first: NDArray[np.floating]
    second: NDArray[np.floating]
    one: tuple[Span | None, Span | None]
    other: tuple[Span | None, Span | None]


@dataclass(frozen=True)
class Swing:
    """A head, 0-based, and its weights on the two words in the first and in the second sentence."""

    kind: Kind
    layer: int
    head: int
    one: tuple[float, float]
    other: tuple[float, float]

    @property
    def moved(self) -> float:
        """Return the weight that moved from word `one` to word `other`, 0 to 1."""
        return min(self.one[0] - self.one[1], self.other[1] - self.other[0])


def widest_swing(looks: Sequence[Looks]) -> Swing:
    """Find the head, of all kinds, that moves most weight from word `one` to word `other`.

    The movement is the loss of word `one`, or the gain of word `other` if that is smaller, from the
    first sentence to the second. Raises ValueError when there are no looks.
    """
    if not looks:
        raise ValueError("expected at least one kind of attention with both words, got none")
    swings = [_widest(look) for look in looks]
    return max(swings, key=lambda swing: swing.moved)


def _on(weights: NDArray[np.floating], span: Span | None) -> NDArray[np.float64]:
    """Return the weight (L, H) of a word in weights (L, H, key): 0 where it is absent."""
    if span is None:
        return np.zeros(weights.shape[:-1])
    return weights[..., span[0] : span[1] + 1].sum(axis=-1, dtype=np.float64)


def _widest(look: Looks) -> Swing:
    """Find the head of one kind of attention that moves most weight."""
    of_one, of_other = (
        [
            _on(weights, span)  # L H
            for weights, span in zip((look.first, look.second), spans, strict=True)
        ]
        for spans in (look.one, look.other)
    )
    moved = np.minimum(of_one[0] - of_one[1], of_other[1] - of_other[0])  # L H
    layer, head = (int(index) for index in np.unravel_index(moved.argmax(), moved.shape))
    return Swing(
        look.kind,
        layer,
        head,
        (float(of_one[0][layer, head]), float(of_one[1][layer, head])),
        (float(of_other[0][layer, head]), float(of_other[1][layer, head])),
    )
