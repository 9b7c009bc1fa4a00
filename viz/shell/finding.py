"""The finding of a page: one large line above its picture that says what is seen there."""

import streamlit as st

from viz.figures.theme import token_text
from viz.language.wording import escaped
from viz.shell.lessons.card import lesson_shown


def say(finding: str) -> None:
    """Write what the picture below shows of this sentence, with its figures: Markdown.

    It must hold for every sentence and model, so its words and figures are read from what is drawn.
    A lesson has a claim of its own beside every picture: there it is left out.
    """
    if not lesson_shown():
        with st.container(key="finding"):
            st.markdown(finding)


def quoted(piece: str) -> str:
    """Write a piece of a sentence in quotes, without the mark of its space, as Markdown."""
    return f"“{escaped(token_text(piece).strip('·'))}”"
