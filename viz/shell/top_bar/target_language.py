"""The choice of a target language, for models that take it as a token such as ">>fra<<"."""

import streamlit as st

from model.words import split_language
from viz.compute import runs
from viz.language.text import _

_CHOICE = "target language"


def choose_language() -> None:
    """Draw the choice, which puts the token into the sentence, if the model takes such tokens."""
    languages = runs.languages()
    if not languages:
        return
    current = split_language(str(st.session_state.get("sentence", "")))[0]
    st.session_state[_CHOICE] = current if current in languages else None
    st.selectbox(
        _("Target language"),
        languages,
        key=_CHOICE,
        placeholder=_("Target language"),
        on_change=_write,
        label_visibility="collapsed",
        width=170,
    )


def _write() -> None:
    rest = split_language(str(st.session_state["sentence"]))[1].strip()
    chosen = st.session_state[_CHOICE]
    st.session_state["sentence"] = f"{chosen} {rest}" if chosen else rest
