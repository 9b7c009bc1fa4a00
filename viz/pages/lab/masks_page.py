"""Break it: masks lifted, padding looked at, words hidden, links forbidden by hand."""

import streamlit as st

from viz.language.text import _
from viz.pages.lab import masks
from viz.pages.lab.effect import (
    choose_head,
    current_effect,
    show_attention,
    show_likelihoods,
    show_translations,
)
from viz.pages.lab.mask_board import drawn, mask_board
from viz.pages.lab.mask_panels import BOARD, change, mask_controls, mask_findings, show_refusal
from viz.shell import state
from viz.shell.choice import choose_one
from viz.shell.cover import telling
from viz.shell.header import open_page

KEY, TURN, WHERE = "mask board", "mask board turn", "mask board where"


def take_stroke() -> None:
    """Forbid or allow the drawn links, unless a query would be left without any key."""
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
    if stroke := drawn(KEY):
        view, scope = st.session_state[WHERE]
        change(masks.draw(state.interventions(), stroke, view, scope), BOARD)


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep the names of the module alive."""
    run = open_page()
    mask_controls(run)
    effect = current_effect()
    show_translations(effect)
    with telling("effect"):
        mask_findings(effect)
        show_likelihoods(effect)

    st.subheader(_("Forbid links by hand"), anchor=False)
    st.markdown(_("Click or drag cells: the query of that row can no longer look at that key."))
    with telling("links"):
        view = choose_head(effect)
        scopes = {
            "head": _("this head"),
            "layer": _("all heads of the layer"),
            "all": _("all layers"),
        }
        scope = choose_one(_("Forbid in"), scopes, "scope", link=False)
        st.session_state[WHERE] = view, scope
        mask_board(
            masks.links_of(run.recording, view, state.in_force(run.left_out)),
            state.head_name(view),
            KEY,
            st.session_state.get(TURN, 0),
            take_stroke,
            state.current_theme(),
        )
        show_refusal(BOARD)
        show_attention(effect, view)


show_page()
