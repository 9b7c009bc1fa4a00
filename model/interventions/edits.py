"""Edits of attention: what happens to the tensor of a site when something is switched off.

None of them writes into the tensor it is given; B is the batch, n the pieces without padding.
"""

import math
from typing import Literal

import torch
from torch import Tensor

from model.recording.tap import Edit

Mode = Literal["zero", "mean", "uniform"]
MODES: tuple[Mode, ...] = ("zero", "mean", "uniform")
"""What a head that is off puts out: nothing, its mean over the sentence, or values unweighted."""


def chain(first: Edit, second: Edit) -> Edit:
    """Apply one edit after the other."""
    return lambda tensor: second(first(tensor))


def zero_head(head: int) -> Edit:
    """Set the output z of one head to zero."""

    def edit(z: Tensor) -> Tensor:  # B H T Dk
        z = z.clone()
        z[:, head] = 0
        return z

    return edit


def average_head(head: int, pieces: int | None) -> Edit:
    """Replace z of one head by its mean over the first `pieces` positions (None: all of them)."""

    def edit(z: Tensor) -> Tensor:  # B H T Dk
        z = z.clone()
        z[:, head] = z[:, head, :pieces].mean(dim=1, keepdim=True)
        return z

    return edit


def average_head_so_far(head: int) -> Edit:
    """Replace z of one head at each position by its mean up to there: the future stays unseen."""

    def edit(z: Tensor) -> Tensor:  # B H T Dk
        z = z.clone()
        count = torch.arange(1, z.size(2) + 1).unsqueeze(1)  # T 1
        z[:, head] = z[:, head].cumsum(dim=1) / count
        return z

    return edit


def level_head(head: int) -> Edit:
    """Make all scores of one head equal, so that it looks at every key it may see alike."""

    def edit(scores: Tensor) -> Tensor:  # B H T S
        scores = scores.clone()
        scores[:, head] = scores[:, head].masked_fill(scores[:, head].isfinite(), 0)
        return scores

    return edit


def unscale(d_k: int) -> Edit:
    """Undo the division of the scores by sqrt(d_k)."""
    return lambda scores: scores * math.sqrt(d_k)  # B H T S


def forbid(query: int, key: int, head: int | None) -> Edit:
    """Set the score of one link to minus infinity; a prefix that does not reach it yet stays."""

    def edit(scores: Tensor) -> Tensor:  # B H T S
        if query >= scores.size(-2) or key >= scores.size(-1):
            return scores
        scores = scores.clone()
        scores[:, slice(None) if head is None else head, query, key] = -torch.inf
        return scores

    return edit


def hide_keys(first: int, last: int) -> Edit:
    """Take the keys from `first` to `last` out of a mask."""

    def edit(mask: Tensor) -> Tensor:  # B T S
        mask = mask.clone()
        mask[..., first : last + 1] = False
        return mask

    return edit
