"""Traces: short traces are made at once, long traces at the press of a button."""

import streamlit as st

from model.recording.trace import Part, Trace
from viz.compute import runs, traces
from viz.language.text import _
from viz.shell.heavy import heavy, shown

MOST_PIECES = 40
"""The longest source, in pieces, traced unasked: the work grows with the square of its length."""


def traced(
    first: str,
    second: str,
    part: Part = "residual",
    restored: bool = False,
    at: tuple[int, int] | None = None,
) -> Trace:
    """Return a trace as `traces.trace` does; a long trace ends the page until it is asked for.

    Raises ValueError as `traces.trace` does.
    """
    asked: tuple[str, str, Part, bool, tuple[int, int] | None] = first, second, part, restored, at
    doing = _("Carrying one vector after the other")
    if len(runs.source(first).ids) <= MOST_PIECES or traces.trace.known(*asked):
        with shown(doing):
            return traces.trace(*asked)
    if not st.button(_("Trace it, with one run for each cell"), icon=":material/conversion_path:"):
        st.stop()
    with heavy(doing):
        return traces.trace(*asked)
