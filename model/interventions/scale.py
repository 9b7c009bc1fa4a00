"""Scores without their scale."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from model.interventions.base import Intervention, Sizes, check_head
from model.sites.sites import Kind, attention_site
from model.sites.tap import Edit
from model.transformer.config import ModelConfig


@dataclass(frozen=True)
class Unscale(Intervention):
    """Leave out the division of the scores by sqrt(d_k), in all layers of this kind."""

    kind: Kind
    stage: ClassVar[int] = 0

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such kind of attention."""
        check_head(self.kind, None, None, sizes.config)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Multiply the scores of every layer by what they were divided by."""
        config = sizes.config
        layers = range(config.layers(self.kind))
        return [(attention_site(self.kind, n, "scores"), unscale(config)) for n in layers]


def unscale(config: ModelConfig) -> Edit:
    """Undo the division of the scores by sqrt(d_k)."""

    def edit(scores: Tensor) -> Tensor:  # B H T S
        return scores * math.sqrt(config.d_k)

    return edit
