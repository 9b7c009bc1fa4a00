"""The switch for the language of the screen."""

import streamlit as st

from viz.language.text import CHOSEN, _, language, languages

_SWITCH = "language switch"


def switch_language() -> None:
    """Draw the menu of the languages, under the name of the one in force."""
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
