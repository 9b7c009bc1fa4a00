"""Two sentences as cards: what one head looks at in each, and how likely both pieces are next."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from model.words import Word, is_special
from viz.components.component import palette, renderer
from viz.components.two_texts import new_words
from viz.figures.theme import key_axis, query_axis
from viz.language.text import _
from viz.pages.lab_pairs.looks import Line, Look

_MAIN = Path(__file__).parent / "assets" / "pair_cards.js"

LEAST, MOST = 0.1, 4
"""The smallest weight that has an arc, and the most arcs of a sentence."""


@dataclass(frozen=True, eq=False)
class Card:
    """One sentence: its words by line, one row of a head, and the two pieces that could be next.

    `look` is None where nothing is looked at. `odds` are the pieces with their probabilities, empty
    if nothing is decided, and `after` says what has been written before them.
    """

    words: dict[Line, list[Word]]
    look: Look | None
    odds: Sequence[tuple[str, float]]
    after: str


def show(
    cards: tuple[Card, Card], head: str, languages: tuple[str, str], off: bool = False
) -> None:
    """Draw both cards, one below the other; `head` names the head, "" for a model without heads.

    `languages` are the codes of the source and of the translation, "" if unknown. The arcs of a
    head that is `off` are pale and dashed.
    """
    first, second = cards
    renderer("pair_cards", _MAIN)(
        key="pair cards",
        data={
            "cards": [_card(first, second, head), _card(second, first, head)],
            "head": head,
            "off": off,
            "languages": dict(zip(("source", "target"), languages, strict=True)),
            "palette": palette(),
            "words": {"query": query_axis(), "key": key_axis(), "weight": _("weight")},
        },
    )


def _card(own: Card, other: Card, head: str) -> dict[str, object]:
    arcs = _arcs(own.look)
    ends = {end for arc in arcs for end in (arc["from"], arc["to"])}
    return {
        "lines": {
            line: _line(line, words, other.words[line], ends) for line, words in own.words.items()
        },
        "arcs": arcs,
        "said": _said(own.look, head),
        "odds": [list(odd) for odd in own.odds],
        "after": own.after,
    }


def _line(
    line: Line, words: Sequence[Word], other: Sequence[Word], ends: set[object]
) -> list[list[object]]:
    """List the words to draw: place, text, True after a space, and True for a new word.

    Begin and end tokens are left out where no arc ends at them.
    """
    new = new_words([word.text for word in other], [word.text for word in words])
    return [
        [number, word.text, word.spaced, number in new]
        for number, word in enumerate(words)
        if not is_special(word.text) or (line, number) in ends
    ]


def _arcs(look: Look | None) -> list[dict[str, object]]:
    """List the arcs of a row, the largest weight first."""
    if look is None:
        return []
    most = [int(place) for place in np.argsort(-look.weights, kind="stable")[:MOST]]
    query, key = look.lines
    return [
        {
            "from": (query, look.query),
            "to": (key, place),
            "weight": round(float(look.weights[place]), 4),
        }
        for place in most
        if look.weights[place] >= LEAST or place == most[0]
    ]


def _said(look: Look | None, head: str) -> str:
    """Say in a sentence what the arcs show, for readers who do not see them."""
    if look is None:
        return ""
    query, key = look.named
    return _("{head}: {query} looks most at {key}, weight {weight}.").format(
        head=head, query=query, key=key, weight=f"{look.weights[look.key]:.2f}"
    )
