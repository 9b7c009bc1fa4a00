"""Guesses from a draft, so that several pieces are scored in one run.

To score six pieces takes a model little longer than to score one. So what a draft says may follow
is scored along; where it does follow, those steps are done (speculative decoding, Leviathan et al.
2023, with the draft searched as in "prompt lookup"). A guess that fails changes no result.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

AHEAD = 5
"""Pieces that are guessed at once when a prefix has parted from the draft."""


def with_guess(prefix: Tensor, draft: Sequence[int], longest: int) -> Tensor:
    """Return a prefix (1, T) with what may follow it, at most `longest` ids: see `guess`."""
    ids = prefix[0].tolist()
    return torch.tensor([[*ids, *guess(ids, draft, longest)]])


def guess(prefix: Sequence[int], draft: Sequence[int], longest: int) -> Sequence[int]:
    """Return the ids that may follow a prefix; with it they are at most `longest`.

    As long as the prefix is the draft's beginning, that is all the rest of the draft. Later it is
    what follows in the draft where it says the same as the end of the prefix, the more pieces the
    better; nothing where the last piece is not in it.
    """
    prefix, draft, room = tuple(prefix), tuple(draft), max(0, longest - len(prefix))
    if prefix == draft[: len(prefix)]:
        return draft[len(prefix) :][:room]
    shared = [_shared_end(prefix, draft[:end]) for end in range(len(draft) + 1)]
    most = max(shared)
    end = shared.index(most) if most else len(draft)
    return draft[end:][: min(AHEAD, room)]


def _shared_end(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the ids at the end of one that stand at the end of the other too."""
    count = 0
    for own, its in zip(reversed(one), reversed(other), strict=False):
        if own != its:
            break
        count += 1
    return count
