"""Blocks left out: sublayers, residuals around them, norms, whole layers, ReLU, single units.

A layer is its sublayers in order, each as LayerNorm(x + Sublayer(x)). Each of the three parts can
be left out on its own. B is the batch, n the stack's own length, D the model width, F the width of
the feed-forward network.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model.interventions.base import Intervention, MergingEdit, Sizes
from model.interventions.fields import PLACE, STACK, SUBLAYER, UNIT
from model.interventions.message import Message, in_layer
from model.sites.sites import SUBLAYERS, Stack, Sublayer, check_choice, check_place
from model.sites.tap import Edit


@dataclass(frozen=True)
class BlockIntervention(Intervention):
    """A change to a layer of a stack; layers count from 0."""

    stack: Stack
    layer: int

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such layer."""
        check_place("layer", self.layer, sizes.config.layers(self.stack))

    @property
    def alone(self) -> bool:
        """Return True: a block treats each position by itself, but for attention, which stays."""
        return True

    @property
    @abstractmethod
    def sites(self) -> tuple[str, ...]:
        """Return the changed sites."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return all changed sites: a block is left out at each."""
        return self.sites


@dataclass(frozen=True)
class SublayerIntervention(BlockIntervention):
    """A change to a sublayer, or to its residual or norm."""

    sublayer: Sublayer
    fields = (STACK, PLACE, SUBLAYER)

    def __post_init__(self) -> None:
        """Raise ValueError when the stack has no such sublayer."""
        super().__post_init__()
        check_choice(f"sublayer of the {self.stack}", self.sublayer, SUBLAYERS[self.stack])

    @property
    def place(self) -> dict[str, Any]:
        """Return the layer and the sublayer for the message."""
        return {"layer": in_layer(self.stack, self.layer), "sublayer": self.sublayer}

    @property
    def number(self) -> int:
        """Return the sublayer's place in its layer, from 1, as in the names of sums and norms."""
        return SUBLAYERS[self.stack].index(self.sublayer) + 1


@dataclass(frozen=True)
class LeaveOutSublayer(SublayerIntervention):
    """Leave out a sublayer, so that LayerNorm(x) remains of LayerNorm(x + Sublayer(x)).

    Args:
        stack: "encoder" or "decoder".
        layer: the layer, from 0.
        sublayer: "self_attn", "ffn" or, in the decoder, "cross_attn".

    Raises:
        ValueError: the stack has no such sublayer or, when it is used, no such layer.

    >>> change = LeaveOutSublayer("encoder", 2, "ffn")
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> bool(recording["encoder.2.ffn.out"].any())
    False

    """

    names = ("sub",)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{layer}: {sublayer} left out", **self.place)

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the output of the sublayer, including the bias."""
        return (f"{self.stack}.{self.layer}.{self.sublayer}.out",)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Let the sublayer put out zero."""
        return [(site, torch.zeros_like) for site in self.sites]


@dataclass(frozen=True)
class LeaveOutResidual(SublayerIntervention):
    """Leave out the residual around a sublayer, so that LayerNorm(Sublayer(x)) remains.

    Args:
        stack: "encoder" or "decoder".
        layer: the layer, from 0.
        sublayer: "self_attn", "ffn" or, in the decoder, "cross_attn".

    Raises:
        ValueError: the stack has no such sublayer or, when it is used, no such layer.

    >>> change = LeaveOutResidual("encoder", 2, "ffn")
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> bool((recording["encoder.2.sum2"] == recording["encoder.2.ffn.out"]).all())
    True

    """

    names = ("res",)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{layer}: no residual around {sublayer}", **self.place)

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the sum of the residual and the sublayer's output."""
        return (f"{self.stack}.{self.layer}.sum{self.number}",)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Replace the sum by the sublayer's output."""
        return [(site, TakePart(1)) for site in self.sites]


@dataclass(frozen=True)
class LeaveOutNorm(SublayerIntervention):
    """Leave out the norm after a sublayer, so that x + Sublayer(x) remains.

    Args:
        stack: "encoder" or "decoder".
        layer: the layer, from 0.
        sublayer: "self_attn", "ffn" or, in the decoder, "cross_attn".

    Raises:
        ValueError: the stack has no such sublayer or, when it is used, no such layer.

    >>> change = LeaveOutNorm("encoder", 2, "ffn")
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> bool((recording["encoder.2.norm2"] == recording["encoder.2.sum2"]).all())
    True

    """

    names = ("norm",)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{layer}: no norm after {sublayer}", **self.place)

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the output of the norm."""
        return (f"{self.stack}.{self.layer}.norm{self.number}",)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Replace the output of the norm by its input."""
        return [(site, TakePart(0)) for site in self.sites]


@dataclass(frozen=True)
class SkipLayer(BlockIntervention):
    """Skip a whole layer: all its sublayers and norms are left out, so its output is its input.

    Args:
        stack: "encoder" or "decoder".
        layer: the layer, from 0.

    Raises:
        ValueError: when it is used, if there is no such layer.

    >>> change = SkipLayer("encoder", 2)
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> bool((recording["encoder.2.norm2"] == recording["encoder.1.norm2"]).all())
    True

    """

    names = ("skip",)
    fields = (STACK, PLACE)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{layer} skipped", layer=in_layer(self.stack, self.layer))

    @property
    def parts(self) -> tuple[SublayerIntervention, ...]:
        """Return the interventions that leave out each part of the layer."""
        layer = self.stack, self.layer
        return tuple(
            leave_out(*layer, sublayer)
            for sublayer in SUBLAYERS[self.stack]
            for leave_out in (LeaveOutSublayer, LeaveOutNorm)
        )

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the sites of all parts."""
        return tuple(site for part in self.parts for site in part.sites)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Leave out every sublayer and every norm of the layer."""
        return [edit for part in self.parts for edit in part.edits(sizes)]


@dataclass(frozen=True)
class HiddenIntervention(BlockIntervention):
    """A change to the hidden vector of a feed-forward network."""

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the hidden vector, after the activation."""
        return (f"{self.stack}.{self.layer}.ffn.hidden",)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return nothing: the block stays."""
        return ()


@dataclass(frozen=True)
class LeaveOutReLU(HiddenIntervention):
    """Leave out ReLU in the feed-forward network of a layer, so that a single linear map remains.

    Args:
        stack: "encoder" or "decoder".
        layer: the layer, from 0.

    Raises:
        ValueError: when it is used, if there is no such layer, or if the model has another
            activation in place of ReLU.

    >>> change = LeaveOutReLU("encoder", 2)
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> bool((recording["encoder.2.ffn.hidden"] < 0).any())
    True

    """

    names = ("relu",)
    fields = (STACK, PLACE)
    stage = 0  # it would undo units set to zero

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{layer}: no ReLU", layer=in_layer(self.stack, self.layer))

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such layer, or another function in place of ReLU."""
        super().check(sizes)
        if (activation := sizes.config.variant.activation) == "none":
            raise ValueError("this model learned without ReLU")
        if activation != "relu":
            raise ValueError(f"this model has {activation} in place of ReLU")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Hand on the hidden vector as it was before ReLU."""
        return [(site, TakePart(0)) for site in self.sites]


@dataclass(frozen=True)
class ZeroUnit(HiddenIntervention):
    """Set one unit of a feed-forward network to zero, at every position.

    Args:
        stack: "encoder" or "decoder".
        layer: the layer, from 0.
        unit: the unit of the hidden vector, from 0.

    Raises:
        ValueError: when it is used, if there is no such layer or unit.

    >>> recording = translator.record("Yes.", interventions=[ZeroUnit("encoder", 2, 7)])
    >>> bool(recording["encoder.2.ffn.hidden"][:, 7].any())
    False

    """

    unit: int
    names = ("unit",)
    fields = (STACK, PLACE, UNIT)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        layer = in_layer(self.stack, self.layer)
        return Message("{layer}: unit {unit} set to 0", layer=layer, unit=self.unit + 1)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such layer or unit."""
        super().check(sizes)
        check_place("unit", self.unit, sizes.config.d_ff)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Set the unit to zero."""
        return [(site, ZeroUnits((self.unit,))) for site in self.sites]


@dataclass(frozen=True)
class TakePart(MergingEdit):
    """Replaces a tensor by one of its parts, numbered from 0."""

    place: int

    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        """Return the part."""
        return made_of[self.place]

    def merged(self, others: Sequence[Edit]) -> Edit:  # noqa: ARG002
        """Return this edit: all others at its site take the same part."""
        return self


@dataclass(frozen=True)
class ZeroUnits(MergingEdit):
    """Sets units of a hidden vector to zero; any number of units is one edit."""

    units: tuple[int, ...]

    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        """Return hidden vectors (B, n, F) without the units."""
        hidden = tensor.clone()
        hidden[..., list(self.units)] = 0
        return hidden

    def merged(self, others: Sequence[Edit]) -> Edit:
        """Join the units of all edits."""
        units = (unit for edit in others if isinstance(edit, ZeroUnits) for unit in edit.units)
        return ZeroUnits((*self.units, *units))


def left_out(interventions: Iterable[Intervention]) -> frozenset[str]:
    """Return the sites of the blocks left out: a sublayer's output, a sum, a norm."""
    return frozenset(site for intervention in interventions for site in intervention.left_out)
