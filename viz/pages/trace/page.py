"""Trace: which vectors of the other sentence turn the answer of this sentence."""

import streamlit as st

from model.recording.trace import Trace
from viz.effect.effect import current_effect, show_outcome
from viz.language.text import _
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.trace import map_panel, views
from viz.pages.trace.asking import traced
from viz.pages.trace.explanation import caution, nothing
from viz.pages.trace.mean_panel import show_mean
from viz.pages.trace.weights_panel import show_weights
from viz.shell.cover import telling
from viz.shell.header import open_page
from viz.shell.navigation import begin_view
from viz.shell.second_sentence import second_sentence


def trace_or_say(first: str, second: str) -> Trace:
    """Trace the residual stream; if the sentences never part, say so and end the page."""
    try:
        return traced(first, second)
    except ValueError:
        st.info(nothing())
        st.stop()


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep all names of a module alive."""
    run = open_page()
    trace = trace_or_say(run.source.text, second_sentence(low=True))
    row = st.container(
        horizontal=True, gap="medium", vertical_alignment="bottom", key="trace choice"
    )
    view = choose_one(_("View"), views.VIEWS, "traced", row=row, bare=True)
    begin_view(view)
    with telling():
        if view == views.WEIGHTS:
            show_weights(trace)
        else:
            map_panel.show(trace, view, row)
        if edits.in_force(run.left_out):
            show_outcome(current_effect())
    if view == views.RESIDUAL:
        with telling("mean"):
            show_mean()
    with st.expander(_("What was measured, and what was not")):
        st.markdown(caution())


show_page()
