"""The language of the screen: what the link asks for, else the switch, else the browser."""

import streamlit as st

from viz.language.text import CHOSEN, ENGLISH, _, language, languages
from viz.shell import link

_SWITCH = "language switch"


def open_language() -> None:
    """Read the language where the link counts, before any text, and let the link say it.

    Where an English browser shows English, the link says nothing.
    """
    if CHOSEN not in st.session_state or link.walked():
        asked = st.query_params.get(CHOSEN, "")
        before = st.session_state.get(CHOSEN) or of_browser()
        st.session_state[CHOSEN] = asked if asked in languages() else before
    plain = language() == of_browser() == ENGLISH
    link.put({CHOSEN: "" if plain else language()})


def of_browser() -> str:
    """Return the language that the browser asks for, English where there is none of it."""
    asked = str(st.context.locale or "").replace("_", "-").partition("-")[0].lower()
    return asked if asked in languages() else ENGLISH


def switch_language() -> None:
    """Draw the menu of languages, under the name of the one in force."""
    names = languages()
    st.menu_button(
        names[language()],
        list(names),
        format_func=names.__getitem__,
        key=_SWITCH,
        icon=":material/translate:",
        type="tertiary",
        help=_("Language of the pages"),
        on_click=_take,
    )


def _take() -> None:
    st.session_state[CHOSEN] = st.session_state[_SWITCH]
