"""Guesses from a draft, so that several pieces are scored in one run.

A model needs little more time to score six pieces than to score one. So the pieces that a draft
suggests are scored in the same run. Where they are right, their steps are done (speculative
decoding, Leviathan et al. 2023, with the draft searched as in "prompt lookup"). A wrong guess
changes no result.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

AHEAD = 5
"""The number of pieces guessed at once after the prefix has left the draft."""


def with_guess(prefix: Tensor, draft: Sequence[int], longest: int) -> Tensor:
    """Return a prefix (1, T) with its guessed continuation, at most `longest` ids: see `guess`."""
    ids = prefix[0].tolist()
    return torch.tensor([[*ids, *guess(ids, draft, longest)]])


def guess(prefix: Sequence[int], draft: Sequence[int], longest: int) -> Sequence[int]:
    """Guess the ids after a prefix; prefix and guess together have at most `longest` ids.

    While the draft begins with the prefix, the guess is the rest of the draft. After that, it is
    what follows the place in the draft that matches most pieces of the prefix's end. Last pieces
    that are not in the draft are taken to stand in place of as many of its own.
    """
    prefix, draft, room = tuple(prefix), tuple(draft), max(0, longest - len(prefix))
    if prefix == draft[: len(prefix)]:
        return draft[len(prefix) :][:room]
    replaced = next((n for n, id_ in enumerate(reversed(prefix)) if id_ in draft), len(prefix))
    known = prefix[: len(prefix) - replaced]
    shared = [_shared_end(known, draft[:end]) for end in range(len(draft) + 1)]
    end = shared.index(max(shared)) + replaced if known else len(draft)
    return draft[end:][: min(AHEAD, room)]


def _shared_end(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the ids at the end of one sequence that also end the other."""
    count = 0
    for id_, other_id in zip(reversed(one), reversed(other), strict=False):
        if id_ != other_id:
            break
        count += 1
    return count
