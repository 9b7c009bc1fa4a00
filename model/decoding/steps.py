"""The common parts of all decoding strategies: the scorer they ask and the steps they yield."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

Scorer = Callable[[Tensor], Tensor]
"""Maps prefixes (N, T) of ids to logits (N, V) of the piece after each."""

Progress = Callable[[int, int], object]
"""A function that receives the steps done and all steps; an exception from it ends the work."""

ALTERNATIVES = 10


@dataclass(frozen=True)
class Limits:
    """The limits of decoding: begin id, end id and the longest prefix, begin token included.

    Ids in `banned` are not chosen: their log-probability counts as minus infinity.
    """

    begin_id: int
    end_id: int
    max_length: int
    banned: tuple[int, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A possible next id and its log-probability in nats, as the model gives it."""

    id: int
    log_prob: float


@dataclass(frozen=True)
class Choice:
    """One step: the piece after `prefix`, and the other candidates.

    `rank` is the chosen id's place by probability, 1 for the most probable. `draw` is the random
    number in [0, 1) by which a sampling strategy chose.
    """

    prefix: tuple[int, ...]
    chosen: Candidate
    alternatives: tuple[Candidate, ...]
    rank: int
    forced: bool = False
    draw: float | None = None


class Strategy(Protocol):
    """A way to choose the next piece."""

    def steps(self, scorer: Scorer, limits: Limits, forced: Sequence[int] = ()) -> Iterator[Choice]:
        """Yield choices until the end id or the longest prefix; the first choices may be forced.

        Raises ValueError when a forced id does not exist.
        """
        ...


def best(log_probs: Tensor, count: int = ALTERNATIVES) -> tuple[Candidate, ...]:
    """Return the most probable ids of one row (V,), best first."""
    return best_of_each(log_probs.unsqueeze(0), count)[0]


def best_of_each(log_probs: Tensor, count: int) -> list[tuple[Candidate, ...]]:
    """Return the most probable ids of each row (N, V), best first."""
    values, ids = log_probs.topk(min(count, log_probs.size(-1)))
    rows = zip(ids.tolist(), values.tolist(), strict=True)
    return [tuple(map(Candidate, *row)) for row in rows]


def candidate(log_probs: Tensor, id_: int) -> Candidate:
    """Return the candidate of one id in a row (V,); ValueError when there is no such id."""
    if not 0 <= id_ < len(log_probs):
        raise ValueError(f"no piece has the id {id_}; there are {len(log_probs)}")
    return Candidate(id_, float(log_probs[id_]))


def rank(log_probs: Tensor, log_prob: float) -> int:
    """Return the rank of this log-probability in a row (V,), 1 for the highest."""
    return 1 + int((log_probs > log_prob).sum())


def normalised(logits: Tensor, banned: Sequence[int] = ()) -> Tensor:
    """Turn logits (..., V) into log-probabilities, in double precision so that sums stay exact.

    Banned ids do not change the log-probabilities of other ids.
    """
    log_probs = logits.log_softmax(dim=-1, dtype=torch.float64)  # ... V
    if banned:  # even an empty assignment would spoil the gradient
        log_probs[..., list(banned)] = -torch.inf
    return log_probs


def to_choose(logits: Tensor, banned: Sequence[int] = ()) -> Tensor:
    """Return log-probabilities as `normalised` does; ValueError when there are NaN among them.

    Apple's graphics processors have no double precision: theirs are computed on the CPU.
    """
    if bool(logits.isnan().any()):
        raise ValueError("the changes make the logits NaN: there is nothing to choose by")
    return normalised(logits.cpu() if logits.is_mps else logits, banned)


def reporting(scorer: Scorer, expected: int, progress: Progress) -> Scorer:
    """Make a scorer report the length of each prefix against the expected number."""

    def score(prefixes: Tensor) -> Tensor:
        progress(min(prefixes.size(1), expected), expected)
        return scorer(prefixes)

    return score


@dataclass(frozen=True)
class Pick:
    """The id that a strategy picks from one row, and the draw that decided, if any."""

    id: int
    draw: float | None = None


def walk(
    scorer: Scorer, limits: Limits, forced: Sequence[int], pick: Callable[[Tensor], Pick]
) -> Iterator[Choice]:
    """Follow a single hypothesis: `pick` chooses from each row (V,) of log-probabilities.

    `pick` is called at forced steps too, so its counts and draws stay in step.
    """
    prefix = (limits.begin_id,)
    while len(prefix) < limits.max_length and prefix[-1] != limits.end_id:
        step = len(prefix) - 1
        log_probs = to_choose(scorer(torch.tensor([prefix]))[0].cpu(), limits.banned)  # V
        picked = pick(log_probs)
        is_forced = step < len(forced)
        chosen = candidate(log_probs, forced[step] if is_forced else picked.id)
        yield Choice(
            prefix,
            chosen,
            best(log_probs),
            rank(log_probs, chosen.log_prob),
            is_forced,
            picked.draw,
        )
        prefix = (*prefix, chosen.id)
