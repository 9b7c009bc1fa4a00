"""A listener in the browser that reports choices and opens the menu of a token.

It lies on every page, in its own fragment, so that a choice in a component reaches the session
without the whole page being drawn again.
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
    """What the menu of a token needs to know of a sentence; everything counts from 0.

    `words` holds, for each piece of the source, the span of the word that masking would hide, or
    None if the piece belongs to no word. `kind` is the attention in focus; `heads` holds the layer
    and head to show of each kind.
    """

    words: tuple[Span | None, ...]
    kind: Kind
    heads: Mapping[Kind, tuple[int, int]]


def watch(sentence: Sentence | None, on_choice: Callable[[Mapping[str, str]], None]) -> None:
    """Listen in the browser; `on_choice` gets each choice as the parameters of a link.

    Without a sentence, tokens offer nothing.
    """

    def take() -> None:
        if _KEY not in st.session_state:  # the page was left meanwhile; its link holds the choice
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
        "charts": _charts(),
    }
    renderer("watch", ENTRY)(
        key=_KEY, data={"told": json.dumps(told, ensure_ascii=False)}, on_chosen_change=take
    )


@cache
def _charts() -> str:
    """Return the name of the file with Streamlit's code for charts, "" if none is found."""
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    return next((file.name for file in folder.glob("PlotlyChart.*.js")), "")


def menu_texts() -> dict[str, str]:
    """Return the texts of the menu: its title, and one for each offer by name."""
    return {
        "menu": _("What to do with {token}"),
        "attention": _("Its attention"),
        "layers": _("Its vector through the layers"),
        "alike": _("Where else does the head look like this?"),
        "neighbours": _("Its neighbours"),
        "mask": _("Mask it"),
        "written": _("How this translation is written"),
    }
