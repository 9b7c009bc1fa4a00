"""Greedy decoding: the most probable piece at every step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor

from model.decoding.steps import Choice, Limits, Pick, Scorer, walk


@dataclass(frozen=True)
class Greedy:
    """Take the most probable piece at every step; this is the default strategy.

    >>> translation = translator.translate("The cat is sleeping.", Greedy())
    >>> translation == translator.translate("The cat is sleeping.")
    True
    """

    def steps(self, scorer: Scorer, limits: Limits, forced: Sequence[int] = ()) -> Iterator[Choice]:
        """Yield choices until the end id or the longest prefix; the first choices may be forced."""
        return walk(scorer, limits, forced, _most_probable)


def _most_probable(log_probs: Tensor) -> Pick:
    return Pick(int(log_probs.argmax()))
