"""The choice of one sentence from a text that is too long for one pass."""

import re

import streamlit as st

from viz.language.text import _

_KEPT, _CHOICE = "paragraph", "sentence of paragraph"
_END = re.compile(r"(?<=[.!?\u2026\u3002\uff01\uff1f])\s+")


def sentences_of(text: str) -> list[str]:
    """Split a text after each mark that ends a sentence and is followed by a space."""
    return [part for part in _END.split(text.strip()) if part]


def choose_sentence(text: str, cut: bool) -> bool:
    """Draw the choice among the sentences of a paragraph; tell whether it was drawn.

    It is drawn if the text in the box was `cut`, which makes it the paragraph, or is one of the
    paragraph's sentences. The paragraph is kept as long as one of its sentences is in the box.
    """
    if cut:
        st.session_state[_KEPT] = text
    sentences = list(dict.fromkeys(sentences_of(str(st.session_state.get(_KEPT, "")))))
    if len(sentences) < 2 or not (cut or text in sentences):
        st.session_state.pop(_KEPT, None)
        return False
    st.session_state[_CHOICE] = text if text in sentences else None
    st.selectbox(
        _("This text has {count} sentences: choose the one to look at").format(
            count=len(sentences)
        ),
        sentences,
        key=_CHOICE,
        placeholder=_("The text is too long for one pass: choose a sentence"),
        on_change=_take,
    )
    return True


def _take() -> None:
    if chosen := st.session_state[_CHOICE]:
        st.session_state["sentence"] = chosen
