"""The two texts of the top bar: new words flash, those of a changed model stay marked."""

from dataclasses import dataclass, replace
from html import escape

import streamlit as st

from model.words import parted
from viz.components.two_texts import gap, new_words

_KEY = "said in the bar"
NEW, OTHER = "bar-new", "bar-other"
"""The classes of words that were not there before, and that the trained model does not write."""


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


def said(page: str, languages: tuple[str, str], source: str, target: str, trained: str) -> Texts:
    """Return both texts; words that the session has not just shown on this page will flash.

    `languages` are those of the source and the target. Words of the target that the model as it was
    `trained` does not write stay underlined. While neither text changes, the HTML stays the same,
    as new HTML would flash again.
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
        Said(languages[0], source, _html(old[0], source, source)),
        Said(languages[1], target, _html(old[1], target, trained)),
    )
    st.session_state[_KEY] = texts
    return texts


def _html(before: str | None, now: str, trained: str) -> str:
    parts = parted(now)
    new = set[int]() if before is None else new_words(parted(before), parts)
    other = new_words(parted(trained), parts)
    html = ""
    for index, part in enumerate(parts):
        marks = [name for name, places in ((NEW, new), (OTHER, other)) if index in places]
        word = escape(part.lstrip())
        html += (
            f'{gap(part)}<span class="{" ".join(marks)}">{word}</span>' if marks else escape(part)
        )
    return html
