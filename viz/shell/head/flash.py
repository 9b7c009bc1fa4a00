"""The two texts of the head, in which the words flash that just changed."""

from dataclasses import dataclass
from html import escape

import streamlit as st

from viz.shared.wording import new_words

_KEY = "said in the head"


@dataclass(frozen=True)
class Said:
    """A text as it stands in the head; `html` is the same with the changed words marked."""

    language: str
    text: str
    html: str


@dataclass(frozen=True)
class Texts:
    """Both texts, and the page that they stood on."""

    page: str
    english: Said
    french: Said


def said(page: str, english: str, french: str) -> Texts:
    """Return both texts; what this session saw before on the same page decides what flashes.

    As long as neither changes, the HTML stays as it is: written anew, it would flash again.
    """
    before: Texts | None = st.session_state.get(_KEY)
    if before and before.page != page:
        before = None
    if before and (before.english.text, before.french.text) == (english, french):
        return before
    texts = Texts(
        page,
        Said("en", english, _html(before and before.english.text, english)),
        Said("fr", french, _html(before and before.french.text, french)),
    )
    st.session_state[_KEY] = texts
    return texts


def _html(before: str | None, now: str) -> str:
    words = now.split()
    changed = set[int]() if before is None else new_words(before.split(), words)
    return " ".join(
        f'<span class="head-new">{escape(word)}</span>' if place in changed else escape(word)
        for place, word in enumerate(words)
    )
