"""Two texts side by side; words that the other text lacks are marked."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.words import parted
from viz.figures.theme import KEY, QUERY
from viz.language.wording import no_words

_AROUND = re.compile(r"(\s*[^\w\s]*)(.*?)([^\w\s]*)", re.DOTALL)
"""The marks before a word, the word, and the marks after it."""

_MARK = "border-bottom:3px solid {colour};background:color-mix(in srgb,{colour} 18%,transparent);"
_BOX = "font-size:20px;line-height:1.5;overflow-wrap:anywhere"


def marked(first: str, second: str) -> tuple[str, str]:
    """Return both texts as HTML; words of only the first are blue, of only the second orange."""
    a, b = words_and_marks(first), words_and_marks(second)
    gone, new = differing(a, b)
    return _html(a, gone, QUERY), _html(b, new, KEY)


def words_and_marks(text: str) -> list[str]:
    """Cut a text as `parted` does, and cut punctuation marks off the words.

    So a full stop that moves does not change a word.
    """
    parts = []
    for part in parted(text):
        before, word, after = _AROUND.fullmatch(part).groups()  # pyrefly: ignore
        parts += [before, word, after] if before.strip() else [before + word, after]
    return [part for part in parts if part]


def new_words(before: Sequence[str], now: Sequence[str]) -> set[int]:
    """Compare two texts word by word; return the places of the new words in `now`."""
    return differing(before, now)[1]


def differing(before: Sequence[str], now: Sequence[str]) -> tuple[set[int], set[int]]:
    """Align two texts word by word; return the places without a partner, of each text.

    A word that has moved has none in either. The spaces that `parted` leaves before a word do not
    count.
    """
    words = [[word.lstrip() for word in parts] for parts in (before, now)]
    steps = SequenceMatcher(None, *words, autojunk=False).get_opcodes()
    unequal = [spans for tag, *spans in steps if tag != "equal"]
    gone = {at for start, end, _i, _j in unequal for at in range(start, end)}
    return gone, {at for _i, _j, start, end in unequal for at in range(start, end)}


def gap(part: str) -> str:
    """Return the spaces that `parted` left before a word."""
    return part[: len(part) - len(part.lstrip())]


def marked_columns(texts: tuple[str, str], titles: tuple[str, str]) -> list[DeltaGenerator]:
    """Draw both texts, marked, in two boxes under titles in Markdown; return the boxes."""
    boxes = [column.container(border=True) for column in st.columns(2)]
    for box, title, html in zip(boxes, titles, marked(*texts), strict=True):
        box.markdown(f":small[{title}]")
        box.html(html)
    return boxes


def _html(words: list[str], changed: set[int], colour: str) -> str:
    mark = _MARK.format(colour=colour) + "border-radius:3px;padding:0 2px"
    parts = [
        f'{gap(word)}<mark style="color:inherit;{mark}">{escape(word.lstrip())}</mark>'
        if at in changed
        else escape(word)
        for at, word in enumerate(words)
    ]
    return f'<div style="{_BOX}">{"".join(parts) or escape(no_words())}</div>'
