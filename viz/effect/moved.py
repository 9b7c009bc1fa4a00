"""The heads whose attention moved most, through interventions or between two sentences."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.sites.sites import Head, Kind
from viz.effect.difference import UNSEEN
from viz.language.text import _
from viz.shell import state

MOST = 6
"""The most heads that are offered."""


def most_moved(shares: Mapping[Kind, NDArray[np.floating]]) -> list[tuple[float, Head]]:
    """List the heads by the share of their attention that moved, largest first.

    `shares` are given by kind, (L, H). Heads whose share is too small to be seen are left out.
    """
    heads = [
        (float(share), Head(kind, layer, head))
        for kind, moved in shares.items()
        for (layer, head), share in np.ndenumerate(moved)
        if share >= UNSEEN
    ]
    return sorted(heads, key=lambda entry: -entry[0])


def offer_heads(moved: Sequence[tuple[float, Head]], nothing: str = "") -> None:
    """Draw a button for each head, with the share that moved; without heads, write `nothing`."""
    if not moved:
        if nothing:
            st.caption(nothing)
        return
    title, purpose = moved_texts()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(title, width="content")
        for share, view in moved[:MOST]:
            st.button(
                f"{state.head_name(view)} · {share:.0%}",
                key=f"moved {view.kind} {view.layer} {view.head}",
                type="tertiary",
                help=purpose,
                on_click=state.show_head,
                args=(view,),
            )


def moved_texts() -> tuple[str, str]:
    """Return the title of the buttons, and what a press on one does."""
    return _("Moved most:"), _("Show this head; the share of its attention that went elsewhere")
