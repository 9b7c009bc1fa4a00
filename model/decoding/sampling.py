"""Sampling: draw the next piece after temperature, top-k and top-p have reshaped the odds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral, Real

import torch
from torch import Tensor

from model.decoding.steps import Choice, Limits, Pick, Scorer, walk


@dataclass(frozen=True)
class Sampling:
    """Draw every piece at random, from a distribution that `reshape` has changed.

    Args:
        temperature: the divisor of the logits, above 0; below 1 it favours probable pieces.
        top_k: how many of the most probable pieces may be drawn; 0 means all.
        top_p: the probability that the pieces that may be drawn reach together; 1 means all pieces.
        seed: the seed of the draws, 0 or more; the draws do not depend on the other settings.

    Raises:
        ValueError: a value is out of range.

    >>> [step.rank for step in translator.steps("Yes.", Sampling(temperature=2, top_k=1))][0]
    1

    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every setting."""
        numbers = isinstance(self.temperature, Real), isinstance(self.top_p, Real)
        if not (numbers[0] and math.isfinite(self.temperature) and self.temperature > 0):
            raise ValueError(f"temperature must be above 0, not {self.temperature!r}")
        if not isinstance(self.top_k, Integral) or self.top_k < 0:
            raise ValueError(f"top_k must be 0 (every piece) or more, not {self.top_k!r}")
        if not (numbers[1] and 0 < self.top_p <= 1):
            raise ValueError(f"top_p must be above 0 and at most 1, not {self.top_p!r}")
        if not isinstance(self.seed, Integral) or self.seed < 0:
            raise ValueError(f"seed must be 0 or more, not {self.seed!r}")

    def steps(self, scorer: Scorer, limits: Limits, forced: Sequence[int] = ()) -> Iterator[Choice]:
        """Yield choices until the end id or the longest prefix; the first choices may be forced."""
        generator = torch.Generator().manual_seed(self.seed)

        def pick(log_probs: Tensor) -> Pick:
            draw = float(torch.rand((), generator=generator, dtype=torch.float64))
            probabilities, ids = self.reshape(log_probs)
            return Pick(int(ids[_slice_of(draw, probabilities)]), draw)

        return walk(scorer, limits, forced, pick)

    def reshape(self, log_probs: Tensor) -> tuple[Tensor, Tensor]:
        """Return the probabilities (K,) to draw with and their ids (K,), most probable first.

        Temperature divides the logits. Then only the top_k most probable pieces stay, and of these
        only the fewest that together reach top_p ("nucleus", Holtzman et al. 2020).
        """
        scaled, ids = log_probs.div(self.temperature).sort(descending=True, stable=True)  # V
        kept = self.top_k or len(ids)
        probabilities = scaled[:kept].softmax(dim=0)  # K
        before = probabilities.cumsum(dim=0) - probabilities
        nucleus = max(1, int((before < self.top_p).sum()))
        probabilities = probabilities[:nucleus]
        return probabilities / probabilities.sum(), ids[: len(probabilities)]


def _slice_of(draw: float, probabilities: Tensor) -> int:
    """Lay the probabilities end to end from 0 to 1 and find which of them contains the draw."""
    ends = probabilities.cumsum(dim=0)
    return min(int((ends <= draw).sum()), len(probabilities) - 1)  # ends[-1] may round below 1
