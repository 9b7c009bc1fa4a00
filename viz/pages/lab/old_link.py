"""Old links: what was done to the positions stood in them under names of their own.

It stands among all other interventions now. A link of before is told from today's by the name of
its view, and rewritten once, when it is opened.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from model.interventions.base import Intervention
from model.sites.sites import STACKS, Stack
from viz.compute import runs
from viz.pages.lab.positions import Positions, set_positions
from viz.shell import focus, state

CHOICE = "break"
"""The parameter that holds the view of the page."""

VIEW, NAMES = "the model", ("change", "stack", "factor", "shuffle", "by", "twice")
"""The name that the view had, and those of its parameters."""

_STACKS: dict[str, tuple[Stack, ...]] = {
    "encoder": ("encoder",),
    "decoder": ("decoder",),
    "both": STACKS,
}
Value = TypeVar("Value", int, float)


def open_old_link(view: str) -> None:
    """Turn an old link into today's: its changes become interventions, in `view`."""
    if st.query_params.get(CHOICE) != VIEW:
        return
    try:
        pieces = len(runs.translator().source(state.sentence()).ids)
    except ValueError:
        pieces = 0
    state.set_interventions(read(st.query_params.to_dict(), pieces, state.interventions()))
    state.write_interventions()
    if not focus.current().names_head:
        focus.choose(replace(focus.current(), kind="encoder"))  # whose first head was shown
    for name in NAMES:
        if name in st.query_params:
            del st.query_params[name]
    if CHOICE in st.session_state:
        st.session_state[CHOICE] = view
    else:
        # The view's control reads the link as the run found it: begin once more, with this one.
        st.query_params[CHOICE] = view
        st.rerun()


def read(
    parameters: Mapping[str, str], pieces: int, interventions: tuple[Intervention, ...]
) -> tuple[Intervention, ...]:
    """Add what a link does to the positions of a sentence, in place of what else is done to them.

    `pieces` is the length of the sentence. A parameter that is missing or makes no sense has the
    value at which its control stood at first: encodings times 0, in the encoder.
    """
    for stack in STACKS:
        interventions = set_positions(interventions, stack, Positions("trained"))
    wanted = _wanted(parameters, pieces)
    for stack in _STACKS.get(parameters.get("stack", ""), _STACKS["encoder"]):
        interventions = set_positions(interventions, stack, wanted)
    return interventions


def _wanted(parameters: Mapping[str, str], pieces: int) -> Positions:
    def number(name: str, kind: Callable[[str], Value], least: int, most: int, first: int) -> Value:
        try:
            value = kind(parameters.get(name, ""))
        except ValueError:
            return kind(str(first))
        return value if least <= value <= most else kind(str(first))

    match parameters.get("change"):
        case "shuffled":
            return Positions("shuffled", number("shuffle", int, 1, 20, 1))
        case "shifted":
            return Positions("shifted", number("by", int, -100, 250, 50))
        case "repeated":
            return Positions("repeated", number("twice", int, 0, max(1, pieces - 2), 1))
    return Positions("scaled", number("factor", float, 0, 2, 0))
