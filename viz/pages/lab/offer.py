"""Buttons for the heads that moved most."""

from collections.abc import Sequence

import streamlit as st

from model.sites.sites import Head
from viz.language.text import _
from viz.shell import state

MOST = 6
"""The most heads that are offered."""


def offer_heads(moved: Sequence[tuple[float, Head]], nothing: str = "") -> None:
    """Draw a button for each, with the share that moved; if there are none, write `nothing`."""
    if not moved:
        if nothing:
            st.caption(nothing)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("Moved most:"), width="content")
        for share, view in moved[:MOST]:
            st.button(
                f"{state.head_name(view)} · {share:.0%}",
                key=f"moved {view.kind} {view.layer} {view.head}",
                type="tertiary",
                help=_("Show this head; the share of its attention that went elsewhere"),
                on_click=state.show_head,
                args=(view,),
            )
