"""The finding of a page: one large line above its picture that says what the picture shows."""

import streamlit as st

from viz.figures.theme import bare
from viz.language.wording import escaped
from viz.shell.lessons.card import lesson_shown


def say(finding: str) -> None:
    """Write what the picture below shows of this sentence, in Markdown, with figures.

    The finding must hold for every sentence and model, so its words and figures are computed from
    what is drawn. In a lesson it is left out, as a scene makes its own claim about its picture.
    """
    if not lesson_shown():
        with st.container(key="finding"):
            st.markdown(finding)


def quoted(piece: str) -> str:
    """Return a piece of a sentence in quotes, without the mark of its space, as Markdown."""
    return f"“{escaped(bare(piece))}”"
