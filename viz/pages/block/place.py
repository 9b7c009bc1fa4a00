"""Which layer and which token a view is about."""

from dataclasses import dataclass

import streamlit as st

from model.recording.recording import Recording
from model.recording.sites import STACKS, Stack, layers_of
from viz.shared.text import _
from viz.shared.theme import KIND_COLOURS
from viz.shared.token_row import token_row
from viz.shell import state
from viz.shell.choice import choose_one


@dataclass(frozen=True)
class Place:
    """A layer of a stack and one of its tokens, from 0."""

    stack: Stack
    layer: int
    token: int


def choose_place(recording: Recording) -> Place:
    """Draw the choice of stack, layer and token; the link holds them."""
    row = st.container(horizontal=True, gap="medium")
    stack: Stack = choose_one(_("Stack"), STACKS, "stack", row=row)
    layers = [state.on_screen(layer) for layer in range(layers_of(stack, recording.config))]
    layer = choose_one(_("Layer"), layers, "layer", row=row)
    tokens = tokens_of(recording, stack)
    first = tokens.index("▁it") if "▁it" in tokens else len(tokens) // 2
    token = token_row(_("token"), tokens, f"{stack}-token", first, KIND_COLOURS[stack])
    return Place(stack, int(layer) - 1, token)


def tokens_of(recording: Recording, stack: Stack) -> list[str]:
    """Return the tokens of a stack."""
    return recording.source_tokens if stack == "encoder" else recording.target_tokens
