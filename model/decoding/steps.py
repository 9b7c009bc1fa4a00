"""What every decoding strategy shares: the scorer it asks and the steps it yields."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

Scorer = Callable[[Tensor], Tensor]
"""Maps prefixes (N, T) of ids to logits (N, V) of what follows each."""

ALTERNATIVES = 10


@dataclass(frozen=True)
class Limits:
    """Where decoding begins and ends: two ids and the longest prefix, begin token included."""

    begin_id: int
    end_id: int
    max_length: int


@dataclass(frozen=True)
class Candidate:
    """A possible next id and its log-probability in nats."""

    id: int
    log_prob: float


@dataclass(frozen=True)
class Choice:
    """One step: what followed `prefix`, and what else could have."""

    prefix: tuple[int, ...]
    chosen: Candidate
    alternatives: tuple[Candidate, ...]
    forced: bool = False


class Strategy(Protocol):
    """A way to choose what comes next."""

    def steps(self, scorer: Scorer, limits: Limits, forced: Sequence[int] = ()) -> Iterator[Choice]:
        """Yield choices until the end id or the longest prefix; the first ones may be forced."""
        ...


def best(log_probs: Tensor, count: int = ALTERNATIVES) -> tuple[Candidate, ...]:
    """Return the most probable ids of one row (V,), best first."""
    values, ids = log_probs.topk(min(count, log_probs.size(-1)))
    return tuple(
        Candidate(id_, value) for id_, value in zip(ids.tolist(), values.tolist(), strict=True)
    )
