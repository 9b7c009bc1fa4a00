"""What each change alone does to this sentence: measured once the page stands, under a bar."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.language.text import _
from viz.shell.heavy import heavy

MOST_PIECES = 40
"""A longer source is measured only when somebody asks."""


def room() -> DeltaGenerator:
    """Return the place under a board where its measuring shows, which keeps its height."""
    return st.container(key="measuring")


def measure(place: DeltaGenerator, pieces: int, doing: str, work: Callable[[], object]) -> None:
    """Do the work, of which the results are kept, and draw the page again with them.

    The end of a page calls this: all of it is there by then, and whatever is pressed comes first.
    """
    with place:
        if pieces > MOST_PIECES and not st.button(
            _("Measure each of them"), icon=":material/bar_chart:"
        ):
            return
        with heavy(doing):
            work()
    st.rerun()
