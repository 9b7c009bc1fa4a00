"""Changes to the positions: an edit replaces the encodings that are added to the embeddings.

All later computations use the new encodings. In the decoder, a run over T pieces numbers its own
pieces 0 to T - 1 at every step of decoding. B is the batch, n the length of the stack's own
sequence, D the model width.
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
    """Multiply the encoding of every position; with 0, the model does not know the order of pieces.

    Args:
        stack: "encoder" or "decoder".
        factor: the factor, a finite number.

    Raises:
        ValueError: there is no such stack or, when it is used, the factor is not finite or the
            model adds no positions.

    >>> recording = translator.record("Yes.", interventions=[ScalePositions("encoder", 0)])
    >>> bool(recording["encoder.positions"].any())
    False

    """

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
    """Give the positions 0 to n - 1 to the pieces in a random order.

    Args:
        stack: "encoder" or "decoder".
        seed: the seed with which the order is drawn.

    Raises:
        ValueError: there is no such stack or, when it is used, the seed is out of range or the
            model adds no positions.

    >>> change, text = ShufflePositions("encoder", seed=1), "The cat is sleeping."
    >>> shuffled = translator.record(text, interventions=[change])["encoder.positions"]
    >>> order = translator.record(text)["encoder.positions"]
    >>> sorted(shuffled[:, 0].tolist()) == sorted(order[:, 0].tolist())
    True

    """

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
    """Give position p the encoding of p + by, as if the sentence stood elsewhere in a text.

    Args:
        stack: "encoder" or "decoder".
        by: the shift in positions, at most the model's `max_length` in either direction.

    Raises:
        ValueError: there is no such stack or, when it is used, the shift is out of range or the
            model's positions are not sinusoids.

    >>> text = "The cat is sleeping."
    >>> shifted = translator.record(text, interventions=[ShiftPositions("encoder", by=1)])
    >>> change = shifted["encoder.positions"][0] - translator.record(text)["encoder.positions"][1]
    >>> bool(abs(change).max() < 1e-6)
    True

    """

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
            raise ValueError("only added sinusoids can be shifted")
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
    """Give a piece's position to the next piece, too; all other pieces keep their positions.

    Args:
        stack: "encoder" or "decoder".
        position: the position that is repeated, from 0.

    Raises:
        ValueError: there is no such stack or, when it is used, no such position, or the model adds
            no positions.

    >>> change = RepeatPosition("encoder", 1)
    >>> positions = translator.record("It is late.", interventions=[change])["encoder.positions"]
    >>> bool((positions[1] == positions[2]).all())
    True

    """

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
    """Give every piece the first position, as code does that indexes positions by the batch.

    Args:
        stack: "encoder" or "decoder".

    Raises:
        ValueError: there is no such stack or, when it is used, the model adds no positions.

    >>> change = HoldPosition("encoder")
    >>> positions = translator.record("It is late.", interventions=[change])["encoder.positions"]
    >>> bool((positions == positions[0]).all())
    True

    """

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
