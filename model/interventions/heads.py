"""Heads switched off. B is the batch, T the queries, S the keys, Dk the width of a head."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Literal, Self, overload

import torch
from torch import Tensor

from model.interventions.base import Intervention, Sizes, check_head
from model.interventions.fields import KIND, numbers, one_of, ranges, split
from model.interventions.message import Message, several
from model.sites.sites import KINDS, Head, Kind, attention_site
from model.sites.tap import Edit
from model.transformer.config import ModelConfig

Mode = Literal["zero", "mean", "uniform"]
MODES: tuple[Mode, ...] = ("zero", "mean", "uniform")
"""The output of a head that is off: nothing, its mean over the sentence, or unweighted values."""

MODE_WORDS: dict[Mode, Message] = {
    "zero": Message("zero output"),
    "mean": Message("mean output"),
    "uniform": Message("uniform attention"),
}


_MODES: dict[str, Mode] = {str(mode): mode for mode in MODES}


@dataclass(frozen=True, init=False)
class AblateHead(Intervention):
    """Switch one head off: `AblateHead("encoder 6.4")` is `AblateHead("encoder", 5, 3)`.

    Args:
        kind: "encoder", "decoder" or "cross"; or the name of the head on screen, without `layer`
            and `head`.
        layer: the layer, from 0.
        head: the head in its layer, from 0.
        mode: what its output z becomes. It is "zero"; "mean" for its mean over the sentence (in the
            decoder: over the pieces so far); or "uniform" for the output of a head that gives all
            its visible keys the same weight.

    Raises:
        ValueError: there is no such kind, mode or name or, when it is used, no such head.

    >>> change = AblateHead("encoder 6.4")
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> bool(recording.part("encoder", 5, "z")[3].any())
    False

    """

    kind: Kind
    layer: int
    head: int
    mode: Mode
    names = MODES
    joins = True
    choices: ClassVar[Mapping[str, Sequence[str]]] = {**Intervention.choices, "mode": MODES}

    @overload
    def __init__(self, kind: str, *, mode: Mode = "zero") -> None: ...

    @overload
    def __init__(self, kind: Kind, layer: int, head: int, mode: Mode = "zero") -> None: ...

    def __init__(
        self, kind: str, layer: int | None = None, head: int | None = None, mode: Mode = "zero"
    ) -> None:
        """Name a head by its kind, layer and number, from 0, or by its name on screen.

        Raises ValueError when there is no such kind, mode or head.
        """
        values = kind, layer, head
        if layer is None and head is None:
            values = Head.named(kind)
        for name, value in zip(("kind", "layer", "head"), values, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "mode", mode)
        self.__post_init__()

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return self._words(Message("{head}", head=(self.kind, self.layer, self.head)))

    def _words(self, place: Message) -> Message:
        return Message("{place}: off ({mode})", place=place, mode=MODE_WORDS[self.mode])

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Describe the layers and the heads of a group, without numbers if it has all of them."""
        first = group[0]
        if len(group) == 1:
            return first.words
        layers = sorted({intervention.layer for intervention in group})
        heads = sorted({intervention.head for intervention in group})
        layer = several(Message("layer {numbers}"), Message("layers {numbers}"), layers)
        head = several(Message("head {numbers}"), Message("heads {numbers}"), heads)
        all_of = len(layers) == config.layers(first.kind), len(heads) == config.heads
        name = {
            (False, False): Message("{kind} {layers} {heads}"),
            (True, False): Message("{kind} {heads}"),
            (False, True): Message("all heads of {kind} {layers}"),
            (True, True): Message("all {kind} heads"),
        }[all_of].text
        return first._words(Message(name, kind=first.kind, layers=layer, heads=head))

    @classmethod
    def read(cls, name: str, text: str) -> Sequence[Self]:
        """Read a kind, its layers and their heads: e.4.1-3~7."""
        kind, layers, heads = split(text, 3)
        of, mode = KIND.read(kind), one_of(_MODES, name)
        return [cls(of, layer, head, mode) for layer in numbers(layers) for head in numbers(heads)]

    @classmethod
    def write(cls, group: Sequence[Self]) -> str:
        """Write the layers and heads of a group."""
        layers, heads = {head.layer for head in group}, {head.head for head in group}
        return f"{group[0].mode}.{KIND.write(group[0].kind)}.{ranges(layers)}.{ranges(heads)}"

    @classmethod
    def join(cls, some: Sequence[Self]) -> list[tuple[Self, ...]]:
        """Join layers of one kind and mode in which the same heads are off."""
        groups: list[tuple[Self, ...]] = []
        for mode, kind in product(MODES, KINDS):
            layers: dict[int, set[int]] = {}
            for intervention in some:
                if (intervention.mode, intervention.kind) == (mode, kind):
                    layers.setdefault(intervention.layer, set()).add(intervention.head)
            by_heads: dict[tuple[int, ...], list[int]] = {}
            for layer in sorted(layers):
                by_heads.setdefault(tuple(sorted(layers[layer])), []).append(layer)
            groups += [
                tuple(cls(kind, layer, head, mode) for layer in same for head in off)
                for off, same in by_heads.items()
            ]
        return groups

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such head."""
        check_head(self.kind, self.layer, self.head, sizes.config)

    @property
    def alone(self) -> bool:
        """Return False for a mean of the decoder, which needs all earlier positions."""
        return self.mode != "mean" or self.kind == "encoder"

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
    """Replace z of one head at each position by its mean so far, without the future."""

    def edit(z: Tensor) -> Tensor:  # B H T Dk
        z = z.clone()
        count = torch.arange(1, z.size(2) + 1, device=z.device).unsqueeze(1)  # T 1
        z[:, head] = z[:, head].cumsum(dim=1) / count
        return z

    return edit


def level_head(head: int) -> Edit:
    """Make all scores of one head equal, so that all its visible keys get the same weight."""

    def edit(scores: Tensor) -> Tensor:  # B H T S
        scores = scores.clone()
        scores[:, head] = scores[:, head].masked_fill(scores[:, head].isfinite(), 0)
        return scores

    return edit
