"""The measurement of each single change on this sentence, once the page is drawn."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.language.text import _
from viz.shell.heavy import heavy

MOST_PIECES = 40
"""The longest source, in pieces, that is measured without a press of the button."""


def room() -> DeltaGenerator:
    """Return the container under a board for the progress bar; it always keeps the bar's space."""
    return st.container(key="measuring")


def measure(slot: DeltaGenerator, pieces: int, doing: str, work: Callable[[], object]) -> None:
    """Do some work whose results are kept, and draw the page again with them.

    Call it at the end of a page: everything else is drawn by then, and any press ends the work.
    """
    with slot:
        if pieces > MOST_PIECES and not st.button(
            _("Measure each of them"), icon=":material/bar_chart:"
        ):
            return
        with heavy(doing):
            work()
    st.rerun()
