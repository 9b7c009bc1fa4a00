"""The examples of the top bar, by phenomenon: what to look at, and a link to the page for it."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from model.checkpoints.examples import Example, Examples
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.course.pages import page_links
from viz.language.text import _, capital
from viz.link.offers import Offer, elsewhere

KEY = "example list"
_ENTRY = Path(__file__).parent / "assets" / "example_list.js"


def example_list(found: Examples) -> None:
    """Draw the button that opens a model's examples; a press on a sentence puts it into the box."""

    def take() -> None:
        place = whole(st.session_state[KEY].taken)
        if place is None or place >= len(found.sentences):
            return refuse()
        st.session_state["sentence"] = found.sentences[place].text

    told = {
        "groups": groups(found.sentences),
        "language": found.source,
        "words": {"name": _("Examples"), "look": _("See it")},
    }
    text = json.dumps(told, ensure_ascii=False)
    renderer("example_list", _ENTRY)(
        key=KEY, data={"text": text}, height="content", on_taken_change=take
    )


def groups(sentences: Sequence[Example]) -> list[dict[str, object]]:
    """Gather sentences by what they show; those that show nothing special form their own group.

    In each card, `place` is the place of the sentence in the model's file, from 0.
    """
    gathered: dict[str, list[dict[str, object]]] = {}
    for place, one in enumerate(sentences):
        card: dict[str, object] = {
            "place": place,
            "text": one.text,
            "look": _said(one.look),
            "link": link_of(one),
        }
        gathered.setdefault(one.shows, []).append(card)
    return [{"title": capital(_said(shows)), "cards": own} for shows, own in gathered.items()]


def link_of(example: Example) -> Offer | None:
    """Offer the page that an example names; None if it names none, or none that this app has."""
    asked = urlsplit(example.link)
    if asked.path not in page_links():
        return None
    with suppress(ValueError):
        return elsewhere(asked.path, **{**dict(parse_qsl(asked.query)), "sentence": example.text})
    return None


def _said(text: str) -> str:
    """Translate a text of an example; the catalogues hold those of the app's own models."""
    return _(text) if text else ""
