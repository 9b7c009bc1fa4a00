"""Changes to the scores q k / sqrt(d_k), which make the softmax sharper or flatter."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from model.interventions.base import Intervention, Sizes, check_dots
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
        """Accept every model, as each has scores."""

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Change the scores of every layer."""
        layers, edit = range(sizes.config.layers(self.kind)), self.edit(sizes.config)
        return [(attention_site(self.kind, layer, "scores"), edit) for layer in layers]

    @abstractmethod
    def edit(self, config: ModelConfig) -> Edit:
        """Return the function that changes scores (B, H, T, S) in a model of these sizes."""


@dataclass(frozen=True)
class Unscale(ScoreIntervention):
    """Leave out the division of the scores by sqrt(d_k).

    Args:
        kind: "encoder", "decoder" or "cross".

    Raises:
        ValueError: there is no such kind or, when it is used, nothing divides the scores.

    >>> recording = translator.record("Yes.", interventions=[Unscale("encoder")])
    >>> factors = recording.score_factors("encoder", 0) / translator.config.d_k**0.5
    >>> bool(abs(factors - 1).max() < 1e-4)
    True

    """

    names = ("raw",)
    fields = (KIND,)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{kind}: scores not divided by √dₖ", kind=self.kind)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the model's scores are no dot products."""
        super().check(sizes)
        check_dots(sizes)

    def edit(self, config: ModelConfig) -> Edit:
        """Multiply by sqrt(d_k), by which the scores were divided."""
        return multiply(math.sqrt(config.d_k))


@dataclass(frozen=True)
class ScaleScores(ScoreIntervention):
    """Multiply the scores, which is a softmax at temperature 1 / factor.

    Args:
        kind: "encoder", "decoder" or "cross".
        factor: the factor, a finite number; 0 gives all keys the same weight.

    Raises:
        ValueError: there is no such kind or, when it is used, the factor is not finite.

    >>> recording = translator.record("Yes.", interventions=[ScaleScores("encoder", 0)])
    >>> weights = recording.attention("encoder")
    >>> bool((weights == weights[0, 0, 0, 0]).all())
    True

    """

    factor: float
    names = ("times",)
    fields = (KIND, FACTOR)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{kind}: scores times {factor:g}", kind=self.kind, factor=self.factor)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the factor is not finite."""
        super().check(sizes)
        if not math.isfinite(self.factor):
            raise ValueError(f"factor must be a finite number, not {self.factor}")

    def edit(self, config: ModelConfig) -> Edit:  # noqa: ARG002
        """Multiply by the factor."""
        return multiply(self.factor)


@dataclass(frozen=True)
class ClampScores(ScoreIntervention):
    """Limit the scores to the range from -limit to limit, so that none exceeds another by 2 limit.

    Args:
        kind: "encoder", "decoder" or "cross".
        limit: the largest score, a finite number above 0.

    Raises:
        ValueError: there is no such kind or, when it is used, the limit is out of range.

    >>> recording = translator.record("Yes.", interventions=[ClampScores("encoder", 0.5)])
    >>> bool(abs(recording["encoder.0.self_attn.scores"]).max() <= 0.5)
    True

    """

    limit: float
    stage = 1
    names = ("clamp",)
    fields = (KIND, FACTOR)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{kind}: scores within ±{limit:g}", kind=self.kind, limit=self.limit)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the limit is not a number above 0."""
        super().check(sizes)
        if not 0 < self.limit < math.inf:
            raise ValueError(f"limit must be a finite number above 0, not {self.limit}")

    def edit(self, config: ModelConfig) -> Edit:  # noqa: ARG002
        """Replace a score outside the range by its nearer end."""
        limit = self.limit

        def edit(scores: Tensor) -> Tensor:  # B H T S
            return scores.clamp(-limit, limit)

        return edit


def multiply(factor: float) -> Edit:
    """Multiply scores by a factor."""

    def edit(scores: Tensor) -> Tensor:  # B H T S
        return scores * factor

    return edit
