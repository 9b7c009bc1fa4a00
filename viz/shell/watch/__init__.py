"""A listener in the browser that reports choices and opens the menu of a token.

Every page has it, in a fragment of its own, so that a choice in a component reaches the session
without a redraw of the whole page.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
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
    """What the menu of a token needs to know about a sentence; all numbers count from 0.

    `words` holds, for each piece of the source, the span of the word that masking would hide, or
    None if the piece does not belong to a word. `kind` is the kind of attention in focus; `heads`
    holds, for each kind, the layer and the head to show.
    """

    words: tuple[Span | None, ...]
    kind: Kind
    heads: Mapping[Kind, tuple[int, int]]


def watch(sentence: Sentence | None, on_choice: Callable[[Mapping[str, str]], None]) -> None:
    """Listen in the browser; `on_choice` is called with each choice, as parameters of a link.

    Without a sentence, the menus of tokens are empty.
    """

    def take() -> None:
        if _KEY not in st.session_state:  # the page was left meanwhile; its link holds the choice
            return
        sent = st.session_state[_KEY].chosen
        if not isinstance(sent, dict):
            return refuse()
        on_choice({str(name): str(value)[:_LONGEST] for name, value in sent.items()})

    data = {
        "words": list(sentence.words) if sentence else [],
        "offers": token_offers(*((sentence.kind, sentence.heads) if sentence else ("cross", {}))),
        "steps": UNDONE,
        "texts": menu_texts(),
        "charts": _charts(),
    }
    renderer("watch", ENTRY)(
        key=_KEY, data={"told": json.dumps(data, ensure_ascii=False)}, on_chosen_change=take
    )


@cache
def _charts() -> str:
    """Return the name of the file with Streamlit's code for charts; "" if there is none."""
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    return next((file.name for file in folder.glob("PlotlyChart.*.js")), "")


def menu_texts() -> dict[str, str]:
    """Return the texts of the menu: its title, and the text of each offer, by the offer's name."""
    return {
        "menu": _("What to do with {token}"),
        "attention": _("Its attention"),
        "layers": _("Its vector through the layers"),
        "alike": _("Where else does the head look like this?"),
        "neighbours": _("Its neighbours"),
        "mask": _("Mask it"),
        "written": _("How this translation is written"),
    }
