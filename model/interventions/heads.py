"""Heads switched off. B is the batch, T the queries, S the keys, Dk the width of a head."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from model.interventions.base import Intervention, Sizes, check_head
from model.sites.sites import Kind, attention_site
from model.sites.tap import Edit

Mode = Literal["zero", "mean", "uniform"]
MODES: tuple[Mode, ...] = ("zero", "mean", "uniform")
"""What a head that is off puts out: nothing, its mean over the sentence, or values unweighted."""


@dataclass(frozen=True)
class AblateHead(Intervention):
    """Switch one head off.

    Its output z becomes zero, or its mean over the sentence (in the decoder: over the pieces so
    far), or what it would be if the head looked at every key it may see alike.
    """

    kind: Kind
    layer: int
    head: int
    mode: Mode = "zero"

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such head or mode."""
        check_head(self.kind, self.layer, self.head, sizes.config)
        if self.mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, not {self.mode!r}")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Edit the scores of the head's layer for "uniform", else its output z."""
        if self.mode == "uniform":
            return [(attention_site(self.kind, self.layer, "scores"), level_head(self.head))]
        if self.mode == "zero":
            edit = zero_head(self.head)
        elif self.kind == "encoder":
            edit = average_head(self.head, sizes.lengths.source if sizes.lengths else None)
        else:
            edit = average_head_so_far(self.head)
        return [(attention_site(self.kind, self.layer, "z"), edit)]


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
