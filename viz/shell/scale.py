"""Scores without their scale, and positions that are not what the model was trained with."""

from collections.abc import Sequence
from dataclasses import dataclass

from model.interventions.base import Intervention
from model.interventions.positions import (
    PositionIntervention,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.interventions.scale import Unscale
from model.recording.sites import KINDS, STACKS, Kind, Stack

__all__ = [
    "CHOICES",
    "STACKS",
    "Positions",
    "Stack",
    "positions_of",
    "set_positions",
    "set_unscaled",
    "unscaled",
]

CHOICES = ("trained", "zeroed", "shuffled", "shifted")


@dataclass(frozen=True)
class Positions:
    """What is done to the positions of a stack; None when it is something else than a choice.

    `number` is the seed of the order, or how far they are shifted.
    """

    choice: str | None
    number: int = 1


def positions_of(interventions: Sequence[Intervention], stack: Stack) -> Positions:
    """Read what is done to the positions of a stack."""
    edits = _of_stack(interventions, stack)
    if not edits:
        return Positions("trained")
    match edits:
        case [ScalePositions(_, factor)] if factor == 0:
            return Positions("zeroed")
        case [ShufflePositions(_, seed)]:
            return Positions("shuffled", seed)
        case [ShiftPositions(_, by)]:
            return Positions("shifted", by)
    return Positions(None)


def set_positions(
    interventions: Sequence[Intervention], stack: Stack, wanted: Positions
) -> tuple[Intervention, ...]:
    """Do this to the positions of a stack, and nothing else."""
    gone = set(_of_stack(interventions, stack))
    others = tuple(edit for edit in interventions if edit not in gone)
    match wanted.choice:
        case "zeroed":
            return (*others, ScalePositions(stack, 0.0))
        case "shuffled":
            return (*others, ShufflePositions(stack, wanted.number))
        case "shifted":
            return (*others, ShiftPositions(stack, wanted.number))
    return others


def _of_stack(interventions: Sequence[Intervention], stack: Stack) -> list[PositionIntervention]:
    edits = [edit for edit in interventions if isinstance(edit, PositionIntervention)]
    return [edit for edit in edits if edit.stack == stack]


def unscaled(interventions: Sequence[Intervention]) -> list[Kind]:
    """Return the kinds of attention whose scores are not divided by the root of d_k."""
    return [kind for kind in KINDS if Unscale(kind) in interventions]


def set_unscaled(
    interventions: Sequence[Intervention], kinds: Sequence[str]
) -> tuple[Intervention, ...]:
    """Leave the division out for exactly these kinds."""
    others = [edit for edit in interventions if not isinstance(edit, Unscale)]
    return (*others, *(Unscale(kind) for kind in KINDS if kind in kinds))
