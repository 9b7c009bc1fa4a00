"""The choice of a layer and a token, for the views about these."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.recording.recording import Recording
from model.sites.sites import Head, Stack
from viz.figures.theme import KIND_COLOURS
from viz.language.text import _
from viz.link import focus
from viz.shell import state
from viz.shell.token_choice import choose_stack, choose_token

_LAYER = "block layer"


@dataclass(frozen=True)
class Place:
    """A layer of a stack and one of its tokens, from 0."""

    stack: Stack
    layer: int
    token: int


def place_row() -> DeltaGenerator:
    """Return the row for stack and layer, which has room for another choice."""
    return st.container(horizontal=True, gap="medium", key="choices place")


def choose_place(
    recording: Recording,
    row: DeltaGenerator | None = None,
    first: Callable[[Stack], int] | None = None,
) -> Place:
    """Draw the choice of stack and layer, in a row, and of a token; the link holds them.

    Before any choice, it is the layer that `first` finds in the stack.
    """
    row = row or place_row()
    stack = choose_stack(row, recording.config)
    view = state.shown_head(recording.config)
    count = recording.config.layers(stack)
    opens = first if not focus.current().names_head else None
    layer = min(opens(stack) if opens else view.layer, count - 1)
    st.session_state[_LAYER] = str(layer + 1)
    row.segmented_control(
        _("Layer"),
        [str(index + 1) for index in range(count)],
        required=True,
        key=_LAYER,
        on_change=_choose_layer,
        args=(stack, view),
    )
    tokens = tokens_of(recording, stack)
    token = choose_token(_("token"), tokens, stack, f"{stack}-token", KIND_COLOURS[stack])
    return Place(stack, layer, token)


def _choose_layer(stack: Stack, view: Head) -> None:
    """Choose a layer of a stack for all pages; the number of the head stays."""
    kind = stack if (view.kind == "encoder") != (stack == "encoder") else view.kind
    state.show_head(Head(kind, int(st.session_state[_LAYER]) - 1, view.head))


def tokens_of(recording: Recording, stack: Stack) -> list[str]:
    """Return the tokens of a stack."""
    return recording.source_tokens if stack == "encoder" else recording.target_tokens
