"""What a user can change about the positions, as frozen data, and its compilation to edits.

An edit replaces the encoding that is added to the embeddings, so everything after it follows.
In the decoder a run over T pieces numbers its own pieces 0 to T - 1, at every step of decoding.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from model.recording.sites import Stack
from model.recording.tap import Edit
from model.transformer.config import ModelConfig
from model.transformer.positional import sinusoidal_positions

STACKS: tuple[Stack, ...] = ("encoder", "decoder")


@dataclass(frozen=True)
class ScalePositions:
    """Multiply the encoding of every position; 0 leaves the model without any order."""

    stack: Stack
    factor: float


@dataclass(frozen=True)
class ShufflePositions:
    """Hand the positions 0 to n - 1 out in another order, the one that `seed` draws for n."""

    stack: Stack
    seed: int


@dataclass(frozen=True)
class ShiftPositions:
    """Give position p the encoding of p + by, as if the sentence stood elsewhere in a text."""

    stack: Stack
    by: int


@dataclass(frozen=True)
class RepeatPosition:
    """Give the piece after this 0-based position the same position; the others keep theirs."""

    stack: Stack
    position: int


PositionIntervention = ScalePositions | ShufflePositions | ShiftPositions | RepeatPosition


def position_edits(
    intervention: PositionIntervention, config: ModelConfig
) -> list[tuple[str, Edit]]:
    """Turn a position intervention into the edit of its stack's site `positions`.

    Raises ValueError when the stack does not exist, the factor is not finite, or a seed, shift
    or position is not a whole number or reaches further than `max_length`.
    """
    if intervention.stack not in STACKS:
        raise ValueError(f"stack must be one of {', '.join(STACKS)}, not {intervention.stack!r}")
    return [(f"{intervention.stack}.positions", _edit(intervention, config))]


def _edit(intervention: PositionIntervention, config: ModelConfig) -> Edit:
    limit = config.max_length
    match intervention:
        case ScalePositions(_, factor):
            if not math.isfinite(factor):
                raise ValueError(f"factor must be a finite number, not {factor}")
            return lambda positions: positions * factor
        case ShufflePositions(_, seed):
            _check("seed", seed, 0, 2**31 - 1)
            return lambda positions: positions[:, shuffled(positions.size(1), seed)]
        case ShiftPositions(_, by):
            _check("by", by, -limit, limit)
            return lambda positions: _shifted(positions, by)
        case RepeatPosition(_, position):
            _check("position", position, 0, limit - 1)
            return lambda positions: positions[:, repeated(positions.size(1), position)]


def _check(name: str, value: int, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}, not {value!r}")


def shuffled(length: int, seed: int) -> Tensor:
    """Return the order (length,) that a seed draws: entry i is the position piece i gets."""
    return torch.randperm(length, generator=torch.Generator().manual_seed(seed))


def repeated(length: int, position: int) -> Tensor:
    """Return the positions (length,) when `position` is given out twice: 0 1 2 2 4 for 2."""
    order = torch.arange(length)
    return order - (order == position + 1).long()


def _shifted(positions: Tensor, by: int) -> Tensor:
    """Compute the encoding from the formula: a shift may leave the model's table on either side."""
    length, d_model = positions.shape[-2:]
    table = sinusoidal_positions(length, d_model, start=by)  # S D
    return table.to(positions).expand_as(positions)
