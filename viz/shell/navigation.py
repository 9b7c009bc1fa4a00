"""The page and the view that are being drawn, and the titles of pages on screen."""

import streamlit as st

from viz.compute import examples
from viz.course.entry import PageEntry
from viz.course.pages import named
from viz.language.sides import side_names
from viz.language.text import _

_DRAWN, _VIEW = "page drawn", "view drawn"


def title_of(entry: PageEntry) -> str:
    """Return a page's title in the navigation."""
    if entry.untold and examples.languages() is None:
        return _(entry.untold)
    name = _(entry.name)
    return name.format(**side_names()) if "{" in name else name


def begin_page(entry: PageEntry) -> None:
    """Note which page is drawn from here on; its view is not known yet."""
    st.session_state[_DRAWN], st.session_state[_VIEW] = entry.link, ""


def begin_view(view: str) -> None:
    """Note which view of the page is drawn from here on."""
    st.session_state[_VIEW] = view


def current_view() -> str:
    """Return the view that is drawn; "" on a page without views."""
    return st.session_state[_VIEW]


def current_page() -> PageEntry:
    """Return the page that is drawn."""
    return named(st.session_state[_DRAWN])
