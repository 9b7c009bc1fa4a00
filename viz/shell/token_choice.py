"""The choice of a token in a row of chips, and of the stack that the tokens belong to."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.sites.sites import STACKS, Kind, Stack
from viz.components.token_row import token_row
from viz.figures.labels import writing
from viz.language.text import _
from viz.link import address, focus
from viz.link.choice import choose_one
from viz.link.focus import Config
from viz.link.table import parameter
from viz.shell import state


def choose_token(
    label: str,
    tokens: Sequence[str],
    kind: Kind,
    name: str,
    colour: str,
    *,
    model: str = "",
    writes: bool = True,
    first: int | None = None,
) -> int:
    """Draw the queries of a kind of attention as chips; return the index of the chosen one.

    The query in focus is the chosen one. If the sentence has no such query, it is `first`, or the
    query for which the picture is clearest.

    Each token offers a menu; `model` names the model that wrote the tokens, unless it is the one in
    force. A row of the decoder is named by the piece that it reads; if `writes`, a note says which
    piece the chosen row writes.
    """
    chosen = focus.query(kind, len(tokens), first)

    def choose(index: int) -> None:
        focus.choose(focus.current().with_query(kind, index))

    side = "source" if kind == "encoder" else "target"
    note = writing(tokens, chosen) if writes and kind != "encoder" else ""
    token_row(label, tokens, name, chosen, colour, choose, side=side, model=model, note=note)
    return chosen


def choose_key(label: str, tokens: Sequence[str], kind: Kind, default: int, colour: str) -> int:
    """Draw the keys of a kind of attention as chips; return the index of the chosen one.

    Without a choice it is `default`. A key is not part of the focus: only the link of its page
    holds it, as `key`.
    """
    in_link = parameter("key", "why")
    chosen = in_link.sense(address.parameters().get("key", ""))
    shown = default if chosen is None or chosen >= len(tokens) else chosen
    side = "target" if kind == "decoder" else "source"

    def choose(index: int) -> None:
        address.put({"key": in_link.said(index)})

    token_row(label, tokens, "key", shown, colour, choose, side=side)
    return shown


def stack_names() -> dict[Stack, str]:
    """Return the names of the stacks on screen, as they read within a sentence."""
    return {"encoder": _("encoder"), "decoder": _("decoder")}


def choose_stack(row: DeltaGenerator, config: Config) -> Stack:
    """Draw the choice of a stack in a row and return the chosen one.

    Without a choice it is the stack that the queries in focus belong to.
    """
    chosen = "stack" in st.session_state or address.parameters().get("stack") in STACKS
    if not chosen and state.shown_head(config).kind == "encoder":
        st.session_state["stack"] = "encoder"
    stack: Stack = choose_one(_("Stack"), stack_names(), "stack", default="decoder", row=row)
    return stack
