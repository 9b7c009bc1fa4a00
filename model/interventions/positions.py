"""Positions changed: an edit replaces the encoding that is added to the embeddings.

All later computations use it. In the decoder a run over T pieces numbers its own pieces 0 to T - 1,
at every step of decoding. B is the batch, n the stack's own length, D the model width.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from model.interventions.base import Intervention, Sizes
from model.interventions.fields import FACTOR, PLACE, SEED, SHIFT, STACK
from model.interventions.message import Message
from model.sites.sites import Stack
from model.sites.tap import Edit
from model.transformer.config import Layout
from model.transformer.positional import sinusoidal_positions


@dataclass(frozen=True)
class PositionIntervention(Intervention):
    """A change to the positions of a stack."""

    stack: Stack

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the model has no positions to add."""
        if sizes.config.positions == "rotary":
            raise ValueError("this model adds no positions: it turns queries and keys instead")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Edit the positions where they enter the stack."""
        return [(f"{self.stack}.positions", self.edit)]

    @abstractmethod
    def edit(self, positions: Tensor) -> Tensor:
        """Return other encodings for positions (B, n, D)."""


@dataclass(frozen=True)
class ScalePositions(PositionIntervention):
    """Multiply the encoding of every position; with 0 the model knows no order."""

    factor: float
    stage = 2
    names = ("scale",)
    fields = (STACK, FACTOR)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        if self.factor == 0:
            return Message("{stack} positions zeroed", stack=self.stack)
        return Message("{stack} positions times {factor:g}", stack=self.stack, factor=self.factor)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the model adds no positions or the factor is not finite."""
        super().check(sizes)
        if not math.isfinite(self.factor):
            raise ValueError(f"factor must be a finite number, not {self.factor}")

    def edit(self, positions: Tensor) -> Tensor:
        """Multiply the encodings."""
        return positions * self.factor


@dataclass(frozen=True)
class ShufflePositions(PositionIntervention):
    """Give the positions 0 to n - 1 to the pieces in a random order, drawn with `seed`."""

    seed: int
    names = ("shuffle",)
    fields = (STACK, SEED)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{stack} positions shuffled", stack=self.stack)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the model adds no positions or the seed is out of bounds."""
        super().check(sizes)
        _check_whole("seed", self.seed, 0, 2**31 - 1)

    def edit(self, positions: Tensor) -> Tensor:
        """Reorder the encodings."""
        return positions[:, shuffled(positions.size(1), self.seed)]

    @property
    def looks_ahead(self) -> bool:
        """Return True: a longer prefix has another order."""
        return self.stack == "decoder"


@dataclass(frozen=True)
class ShiftPositions(PositionIntervention):
    """Give position p the encoding of p + by, as if the sentence stood elsewhere in a text."""

    by: int
    stage = 0
    names = ("shift",)
    fields = (STACK, SHIFT)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{stack} positions shifted by {by:+d}", stack=self.stack, by=self.by)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the shift passes `max_length`, or positions have no formula."""
        super().check(sizes)
        if sizes.config.positions != "sinusoid":
            raise ValueError("only sinusoids can be shifted: learned positions have no formula")
        _check_whole("by", self.by, -sizes.config.max_length, sizes.config.max_length)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Edit the positions where they enter the stack, in the layout of the model."""
        edit = partial(self.edit, layout=sizes.config.variant.layout)
        return [(f"{self.stack}.positions", edit)]

    def edit(self, positions: Tensor, layout: Layout = "interleaved") -> Tensor:
        """Compute the encoding by the formula, as a shift may leave the model's table."""
        size = positions.shape[-2:]
        table = sinusoidal_positions(*size, start=self.by, layout=layout)  # n D
        return table.to(positions).expand_as(positions)


@dataclass(frozen=True)
class RepeatPosition(PositionIntervention):
    """Repeat this 0-based position at the next piece; all other pieces keep their positions."""

    position: int
    stage = 2
    names = ("repeat",)
    fields = (STACK, PLACE)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        position = self.position + 1
        return Message(
            "{stack} position {position} given twice", stack=self.stack, position=position
        )

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the model adds no positions, or this one passes `max_length`."""
        super().check(sizes)
        _check_whole("position", self.position, 0, sizes.config.max_length - 1)

    def edit(self, positions: Tensor) -> Tensor:
        """Use one position twice."""
        return positions[:, repeated(positions.size(1), self.position)]


@dataclass(frozen=True)
class HoldPosition(PositionIntervention):
    """Give every piece the first position, like code that indexes positions by the batch."""

    stage = 2
    names = ("hold",)
    fields = (STACK,)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{stack} position 1 given to all", stack=self.stack)

    def edit(self, positions: Tensor) -> Tensor:
        """Repeat the first encoding."""
        return positions[:, :1].expand_as(positions)


def _check_whole(name: str, value: int, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}, not {value!r}")


def shuffled(length: int, seed: int) -> Tensor:
    """Return the order (length,) that a seed draws: piece i gets position entry i."""
    return torch.randperm(length, generator=torch.Generator().manual_seed(seed))


def repeated(length: int, position: int) -> Tensor:
    """Return the positions (length,) with `position` repeated: 0 1 2 2 4 for 2."""
    order = torch.arange(length)
    return order - (order == position + 1).long()
