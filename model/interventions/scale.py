"""Scores q k / sqrt(d_k) multiplied: the softmax gets sharper or flatter."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from model.interventions.base import Intervention, Sizes, check_head
from model.interventions.fields import FACTOR, KIND
from model.interventions.message import Message
from model.sites.sites import Kind, attention_site
from model.sites.tap import Edit
from model.transformer.config import ModelConfig


@dataclass(frozen=True)
class ScoreIntervention(Intervention):
    """A change to all scores of a kind of attention, in all layers."""

    kind: Kind
    stage = 0

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such kind of attention."""
        check_head(self.kind, None, None, sizes.config)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Multiply the scores of every layer."""
        layers, edit = range(sizes.config.layers(self.kind)), multiply(self.times(sizes.config))
        return [(attention_site(self.kind, layer, "scores"), edit) for layer in layers]

    @abstractmethod
    def times(self, config: ModelConfig) -> float:
        """Return the factor of the scores."""


@dataclass(frozen=True)
class Unscale(ScoreIntervention):
    """Leave out the division of the scores by sqrt(d_k)."""

    names = ("raw",)
    fields = (KIND,)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{kind}: scores not divided by √dₖ", kind=self.kind)

    def times(self, config: ModelConfig) -> float:
        """Return sqrt(d_k), by which the scores were divided."""
        return math.sqrt(config.d_k)


@dataclass(frozen=True)
class ScaleScores(ScoreIntervention):
    """Multiply the scores: softmax at temperature 1 / factor; 0 gives all keys the same weight."""

    factor: float
    names = ("times",)
    fields = (KIND, FACTOR)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{kind}: scores times {factor:g}", kind=self.kind, factor=self.factor)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such kind or the factor is not finite."""
        super().check(sizes)
        if not math.isfinite(self.factor):
            raise ValueError(f"factor must be a finite number, not {self.factor}")

    def times(self, config: ModelConfig) -> float:  # noqa: ARG002
        """Return the factor."""
        return self.factor


def multiply(factor: float) -> Edit:
    """Multiply scores by a factor."""

    def edit(scores: Tensor) -> Tensor:  # B H T S
        return scores * factor

    return edit
