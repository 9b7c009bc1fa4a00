"""One head before and after a change: two pictures of its weights, and bars of their sharpness."""

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.words import is_mute, words_of
from viz.components.miniatures import head_picture
from viz.effect.difference import cut
from viz.figures.labels import written_by
from viz.figures.theme import KEY as KEY_COLOUR
from viz.figures.theme import QUERY as QUERY_COLOUR
from viz.figures.theme import Scale, token_text
from viz.figures.weights import sharpness
from viz.language.text import _

PLACE = "two pictures"

LONGEST = 9
"""The most letters of a piece beside a picture."""

Weights = NDArray[np.floating]


def two_pictures(
    before: Weights,
    after: Weights,
    tokens: tuple[Sequence[str], Sequence[str]],
    titles: tuple[str, str],
    name: str,
    scale: Scale,
    *,
    writes: bool = False,
) -> None:
    """Draw the weights (query, key) of the head of this name under two titles.

    Both pictures frame the link that was strongest before the change, between whole words if there
    is one, and label it with its two `tokens` and its weight. A query that `writes` is named by the
    next token. Below are the head's name, and which end is the query.
    """
    queries, keys = map(whole_words, tokens)
    if writes:
        queries = [*queries[1:], False]
    link = darkest(before, np.outer(queries, keys))
    query = written_by(tokens[0], link[0]) if writes else tokens[0][link[0]]
    ends = token_text(query), token_text(tokens[1][link[1]])
    figures = [
        _figure(weights, title, name, scale, link, ends)
        for weights, title in zip((before, after), titles, strict=True)
    ]
    named = _("{head}: rows are queries, here {query}; columns are keys, here {key}")
    if writes:
        named = _("{head}: rows are queries, here writing {query}; columns are keys, here {key}")
    named = named.format(
        head=escape(name), query=_end(ends[0], QUERY_COLOUR), key=_end(ends[1], KEY_COLOUR)
    )
    with st.container(key=PLACE):
        st.html(
            f'<div class="two-pictures">{"<b>→</b>".join(figures)}</div>'
            f'<div class="two-pictures-name">{named}</div>'
        )


def _end(token: str, colour: str) -> str:
    """Write a piece as HTML, underlined in the colour of queries or of keys."""
    text = escape(cut(token.lstrip("·"), LONGEST))
    return f'<b style="border-bottom:3px solid {colour}">{text}</b>'


def whole_words(tokens: Sequence[str]) -> list[bool]:
    """Tell of each piece whether it is a word by itself, and not a sign or a part of one."""
    alone = {word.first for word in words_of(tokens) if word.first == word.last}
    said = (any(map(str.isalnum, token)) and not is_mute(token) for token in tokens)
    return [place in alone and says for place, says in enumerate(said)]


def darkest(weights: Weights, wanted: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the query and the key of the largest weight (query, key), on a `wanted` link if any.

    A row with a single key, which cannot choose, counts only if all rows are like this.
    """
    rows = (weights > 0).sum(axis=1) > 1
    shown = np.where(rows[:, None], weights, 0) if rows.any() else weights
    if (shown * wanted).any():
        shown = shown * wanted
    query, key = np.unravel_index(shown.argmax(), shown.shape)
    return int(query), int(key)


def _figure(
    weights: Weights,
    title: str,
    name: str,
    scale: Scale,
    link: tuple[int, int],
    ends: tuple[str, str],
) -> str:
    largest = _("largest weight of a row, on average: {share:.0%}").format(
        share=sharpness(weights)[1]
    )
    weight = f"{weights[link]:.0%}"
    query, key = (escape(cut(end.lstrip("·"), LONGEST)) for end in ends)
    told = escape(f"{name}, {title}: {ends[0]} → {ends[1]} {weight}; {largest}")
    across, down = ((at + 0.5) / n for at, n in zip(link[::-1], weights.shape[::-1], strict=True))
    wide, high = (1 / n for n in weights.shape[::-1])
    place = f"--across:{across:.2%};--down:{down:.2%};--wide:{wide:.2%};--high:{high:.2%}"
    return (
        f"<figure><figcaption><b>{escape(title)}</b><span>{query} → {key}</span>"
        f"<b>{weight}</b></figcaption>"
        f'<div class="named-link" style="{place}"><span class="key"><i>{key}</i></span>'
        f'<span class="query">{query}<i>{query}</i></span>'
        f'<span class="cells"><img src="{head_picture(weights, scale)}" alt="{told}"></span></div>'
        "</figure>"
    )


def pairs_of_bars(
    values: Sequence[tuple[str, float, float]], titles: tuple[str, str] | None
) -> None:
    """Draw, for each name, bars of the shares before and after a change, named by `titles`.

    Without titles nothing is changed: each name has a single bar.
    """
    rows = [f"<b>{escape(name)}</b><div>{_bars(shares, titles)}</div>" for name, *shares in values]
    with st.container(key="pairs-of-bars" if titles else None):
        st.html(f'<div class="pairs-of-bars">{"".join(rows)}</div>')


def _bars(shares: Sequence[float], titles: tuple[str, str] | None) -> str:
    return "".join(
        f'<div class="{side}"><span>{escape(title)}</span>'
        f'<span class="track"><i style="width:{share:.1%}"></i></span>'
        f"<span>{share:.0%}</span></div>"
        for side, title, share in zip(("before", "after"), titles or ("",), shares, strict=False)
    )
