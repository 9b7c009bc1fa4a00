"""The two texts of the top bar, with the words that just changed marked to flash."""

from dataclasses import dataclass, replace
from html import escape

import streamlit as st

from model.words import parted
from viz.components.two_texts import gap, new_words

_KEY = "said in the bar"


@dataclass(frozen=True)
class Said:
    """A text in the bar and its language; `html` is the text with the changed words marked."""

    language: str
    text: str
    html: str


@dataclass(frozen=True)
class Texts:
    """The sentence and its translation, and the page on which they were shown."""

    page: str
    source: Said
    target: Said


def said(page: str, languages: tuple[str, str], source: str, target: str) -> Texts:
    """Return both texts; words that the session has not just shown on this page will flash.

    `languages` are those of the source and the target. While neither text changes, the HTML stays
    the same, as new HTML would flash again.
    """
    before: Texts | None = st.session_state.get(_KEY)
    if before and before.page != page:
        before = None
    both = Said(languages[0], source, ""), Said(languages[1], target, "")
    if before and (replace(before.source, html=""), replace(before.target, html="")) == both:
        return before
    old = (before.source.text, before.target.text) if before else (None, None)
    texts = Texts(
        page,
        Said(languages[0], source, _html(old[0], source)),
        Said(languages[1], target, _html(old[1], target)),
    )
    st.session_state[_KEY] = texts
    return texts


def _html(before: str | None, now: str) -> str:
    parts = parted(now)
    changed = set[int]() if before is None else new_words(parted(before), parts)
    return "".join(
        f'{gap(part)}<span class="bar-new">{escape(part.lstrip())}</span>'
        if index in changed
        else escape(part)
        for index, part in enumerate(parts)
    )
