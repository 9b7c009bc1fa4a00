"""A listener in the browser: it reports choices, and opens the menu of a token.

It stands on every page, in a fragment of its own, so that what is chosen in a component in the
browser reaches the session without the page being drawn again.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model.sites.sites import Kind
from model.words import Span
from viz.components.answer import refuse
from viz.components.component import renderer
from viz.language.text import _
from viz.link.offers import token_offers
from viz.link.table import UNDONE

ENTRY = Path(__file__).parent / "assets" / "watch.js"
_KEY, _LONGEST = "watch", 2000


@dataclass(frozen=True)
class Sentence:
    """The data of a sentence for the menu of a token, 0-based.

    `words` holds for each piece of the source the span that masking it out takes, None for those
    that are no word; `heads` the head of each kind that is looked at.
    """

    words: tuple[Span | None, ...]
    kind: Kind
    heads: Mapping[Kind, tuple[int, int]]


def watch(sentence: Sentence | None, on_choice: Callable[[Mapping[str, str]], None]) -> None:
    """Listen in the browser: `on_choice` gets the choice as parameters of a link.

    Without a sentence no token offers anything.
    """

    def take() -> None:
        if _KEY not in st.session_state:  # the page was left meanwhile; its link says the same
            return
        sent = st.session_state[_KEY].chosen
        if not isinstance(sent, dict):
            return refuse()
        on_choice({str(name): str(text)[:_LONGEST] for name, text in sent.items()})

    told = {
        "words": list(sentence.words) if sentence else [],
        "offers": token_offers(*((sentence.kind, sentence.heads) if sentence else ("cross", {}))),
        "steps": UNDONE,
        "texts": menu_texts(),
    }
    renderer("watch", ENTRY)(
        key=_KEY, data={"told": json.dumps(told, ensure_ascii=False)}, on_chosen_change=take
    )


def menu_texts() -> dict[str, str]:
    """Return the texts of the menu, by the names of its offers."""
    return {
        "menu": _("What to do with {token}"),
        "attention": _("Its attention"),
        "layers": _("Its vector through the layers"),
        "alike": _("Where else does the head look like this?"),
        "neighbours": _("Its neighbours"),
        "mask": _("Mask it"),
        "written": _("How this translation is written"),
    }
