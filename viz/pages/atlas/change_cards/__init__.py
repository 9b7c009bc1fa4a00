"""Cards of heads that changed: a role, its weight before and now, and both pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model.sites.sites import Head
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.components.miniatures import Miniatures
from viz.figures.labels import head_text
from viz.language.text import _

_MAIN = Path(__file__).parent / "assets" / "change_cards.js"
FIRST = 18
"""The number of cards that are shown at first; all others come on demand."""


@dataclass(frozen=True)
class Card:
    """A head with the role that changed, its colour, and its share of the weight before and now."""

    head: Head
    role: str
    colour: str
    before: str
    now: str


def change_cards(
    cards: Sequence[Card],
    pictures: tuple[Miniatures, Miniatures],
    sizes: tuple[int, int],
    names: tuple[str, str],
    chosen: Head,
    *,
    key: str,
    on_choice: Callable[[Head], None],
) -> None:
    """Draw cards of heads, each with its two pictures, cut from the pictures of all heads.

    `sizes` are the numbers (L, H) of heads in `pictures`, and `names` name the two sides.
    `on_choice` is called with the head of a press.
    """

    def take() -> None:
        number = whole(st.session_state[key].press)
        if number is None or number >= len(cards):
            return refuse()
        on_choice(cards[number].head)

    renderer("change_cards", _MAIN)(
        key=key,
        data={
            "cards": [
                {
                    "name": head_text(card.head.kind, card.head.layer, card.head.head),
                    "kind": card.head.kind,
                    "layer": card.head.layer,
                    "head": card.head.head,
                    "role": card.role,
                    "colour": card.colour,
                    "before": card.before,
                    "now": card.now,
                    "chosen": card.head == chosen,
                }
                for card in cards
            ],
            "pictures": [dict(each) for each in pictures],
            "sizes": list(sizes),
            "names": list(names),
            "first": FIRST,
            "words": {"all": _("Show all {count} heads").format(count=len(cards))},
        },
        on_press_change=take,
    )
