"""Answers of components. The browser may send anything, so nonsense is refused with a notice."""

import streamlit as st

from viz.language.text import _

MOST_PLACES = 10_000
"""A limit that is larger than any list on a page."""


def whole(value: object) -> int | None:
    """Return the browser's answer if it is a whole number from 0 to `MOST_PLACES` - 1, else None.

    JavaScript has only one kind of number: 3.0 is 3, and infinity and NaN are numbers too.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < MOST_PLACES and value == int(value) else None


def refuse() -> None:
    """Show a notice that an answer made no sense and was ignored."""
    st.toast(
        _("The browser sent something that makes no sense on this page and was ignored."),
        icon=":material/block:",
    )
