"""Interventions that stand in no table: whoever asks for kinds by name does not know them."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from model.interventions.base import Intervention, Sizes
from model.interventions.fields import FACTORS, TEXT
from model.interventions.message import Message
from model.recording.sites import attention_site, layers_of
from model.recording.tap import Edit


@dataclass(frozen=True)
class Halve(Intervention):
    """Halve all scores of cross-attention."""

    @property
    def words(self) -> Message:
        return Message("cross scores halved")

    def check(self, sizes: Sizes) -> None:
        pass

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        def edit(scores: Tensor) -> Tensor:
            return scores / 2

        layers = range(layers_of("cross", sizes.config))
        return [(attention_site("cross", layer, "scores"), edit) for layer in layers]


@dataclass(frozen=True)
class LookAs(Intervention):
    """Give every query of cross-attention the weights with which another sentence was looked at."""

    sentence: str
    weights: tuple[float, ...]
    names = ("as",)
    fields = (TEXT, FACTORS)

    @property
    def words(self) -> Message:
        return Message("looks as in {sentence}", sentence=self.sentence)

    def check(self, sizes: Sizes) -> None:
        pass

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        def edit(weights: Tensor) -> Tensor:
            return weights.new_tensor(self.weights).expand_as(weights)

        layers = range(layers_of("cross", sizes.config))
        return [(attention_site("cross", layer, "weights"), edit) for layer in layers]
