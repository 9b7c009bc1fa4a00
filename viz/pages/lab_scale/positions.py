"""Changed positions of a stack: read from the interventions, chosen, and written back."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from model.interventions.base import Intervention
from model.interventions.positions import (
    HoldPosition,
    PositionIntervention,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.sites.sites import STACKS, Stack
from model.transformer.config import ModelConfig
from viz.language.text import _, capital
from viz.link import edits

Choice = Literal["trained", "zeroed", "scaled", "shuffled", "shifted", "repeated", "held"]


@dataclass(frozen=True)
class Positions:
    """The change of a stack's positions; `choice` is None if there are several at once.

    `number` is the factor, the seed of the order, the length of the shift, or the repeated
    position, from 0.
    """

    choice: Choice | None
    number: float = 1


@dataclass(frozen=True)
class Number:
    """The number that a choice takes: its label, limits, step and first value."""

    label: str
    least: float
    most: float
    step: float
    first: float


def positions_of(interventions: Iterable[Intervention], stack: Stack) -> Positions:
    """Read the change of a stack's positions."""
    match edits.of_kind(interventions, PositionIntervention, stack=stack):
        case []:
            return Positions("trained")
        case [ScalePositions(_, factor)] if factor == 0:
            return Positions("zeroed")
        case [ScalePositions(_, factor)]:
            return Positions("scaled", factor)
        case [ShufflePositions(_, seed)]:
            return Positions("shuffled", seed)
        case [ShiftPositions(_, by)]:
            return Positions("shifted", by)
        case [RepeatPosition(_, position)]:
            return Positions("repeated", position)
        case [HoldPosition()]:
            return Positions("held")
    return Positions(None)


def changes(stack: Stack, wanted: Positions) -> list[Intervention]:
    """Return the interventions, one or none, that change a stack's positions in this way."""
    match wanted.choice:
        case "zeroed":
            return [ScalePositions(stack, 0.0)]
        case "scaled":
            return [ScalePositions(stack, wanted.number)]
        case "shuffled":
            return [ShufflePositions(stack, int(wanted.number))]
        case "shifted":
            return [ShiftPositions(stack, int(wanted.number))]
        case "repeated":
            return [RepeatPosition(stack, int(wanted.number))]
        case "held":
            return [HoldPosition(stack)]
    return []


def choice_names() -> dict[Choice, str]:
    """Return the names of the ways to change positions."""
    return {
        "trained": _("as trained"),
        "zeroed": _("zeroed"),
        "scaled": _("scaled"),
        "shuffled": _("shuffled"),
        "shifted": _("shifted"),
        "repeated": _("one given twice"),
        "held": _("the first for all"),
    }


def numbers(config: ModelConfig) -> dict[Choice, Number]:
    """Return the numbers of the choices that take a number, for a model of these sizes."""
    longest = config.max_length
    return {
        "scaled": Number(_("times"), -2.0, 2.0, 0.1, 0.5),
        "shuffled": Number(_("order drawn with seed"), 0, 10_000, 1, 1),
        "shifted": Number(_("by how many positions"), -longest, longest, 1, 5),
        "repeated": Number(_("which position, from 0"), 0, longest - 1, 1, 1),
    }


def position_controls(config: ModelConfig) -> None:
    """Draw the choice of how to change the positions of each stack."""
    labels = {"encoder": _("Positions of the source"), "decoder": _("Positions of the target")}
    with st.container(horizontal=True, gap="large"):
        for stack in STACKS:
            _position_control(stack, labels[stack], config)


def _position_control(stack: Stack, label: str, config: ModelConfig) -> None:
    """Draw the choice for a stack, with the choice's number, if any."""
    now = positions_of(edits.interventions(), stack)
    shown, names = now.choice, choice_names()
    row = st.container()  # in a horizontal container the choices would not wrap
    st.session_state[f"positions {stack}"] = shown
    row.segmented_control(
        label,
        list(names),
        format_func=lambda choice: capital(names[choice]),
        key=f"positions {stack}",
        on_change=_take,
        args=(stack, config),
    )
    if shown and (number := numbers(config).get(shown)):
        kind = type(number.step)
        st.session_state[f"positions number {stack}"] = kind(now.number)
        row.number_input(
            number.label,
            number.least,
            number.most,
            step=number.step,
            key=f"positions number {stack}",
            on_change=_take,
            args=(stack, config),
            width=200,
        )


def _take(stack: Stack, config: ModelConfig) -> None:
    """Change the positions of a stack as chosen; a new choice begins with its first number."""
    choice, known = st.session_state[f"positions {stack}"], numbers(config)
    number = known[choice].first if choice in known else 1
    if choice == positions_of(edits.interventions(), stack).choice:
        number = round(st.session_state.get(f"positions number {stack}", number), 4)
    wanted = changes(stack, Positions(choice, number))
    edits.replace(PositionIntervention, wanted, stack=stack)
