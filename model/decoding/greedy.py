"""Greedy decoding: always the most probable piece."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from model.decoding.steps import Candidate, Choice, Limits, Scorer, best


@dataclass(frozen=True)
class Greedy:
    """Take the most probable piece at every step."""

    def steps(self, scorer: Scorer, limits: Limits, forced: Sequence[int] = ()) -> Iterator[Choice]:
        """Yield choices until the end id or the longest prefix; the first ones may be forced."""
        prefix = (limits.begin_id,)
        while len(prefix) < limits.max_length and prefix[-1] != limits.end_id:
            log_probs = scorer(torch.tensor([prefix]))[0].log_softmax(dim=-1)  # V
            alternatives = best(log_probs)
            chosen = alternatives[0]
            step = len(prefix) - 1
            if step < len(forced):
                chosen = Candidate(forced[step], float(log_probs[forced[step]]))
            yield Choice(prefix, chosen, alternatives, forced=step < len(forced))
            prefix = (*prefix, chosen.id)
