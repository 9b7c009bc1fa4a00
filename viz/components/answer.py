"""What the browser sends from a component: anything at all, so refused with a word if it is off."""

import streamlit as st

from viz.language.text import _

MOST_PLACES = 10_000
"""No list on any page is as long."""


def whole(value: object) -> int | None:
    """Return a whole number from 0 on that the browser sent; None when it is anything else.

    JavaScript has one kind of number: 3.0 is 3, and infinity and NaN are numbers too.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < MOST_PLACES and value == int(value) else None


def refuse() -> None:
    """Say that what came was left out."""
    st.toast(
        _("The browser sent something that makes no sense on this page: it was left out."),
        icon=":material/block:",
    )
