"""The examples of the top bar, by what they show, each with a link to the page that shows it."""

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


def example_list(examples: Examples) -> None:
    """Draw the button that opens a model's examples; a press on a sentence puts it into the box."""

    def take() -> None:
        index = whole(st.session_state[KEY].taken)
        if index is None or index >= len(examples.sentences):
            return refuse()
        st.session_state["sentence"] = examples.sentences[index].text

    data = {
        "groups": groups(examples.sentences),
        "language": examples.source,
        "words": {"name": _("Examples"), "look": _("See it")},
    }
    text = json.dumps(data, ensure_ascii=False)
    renderer("example_list", _ENTRY)(
        key=KEY, data={"text": text}, height="content", on_taken_change=take
    )


def groups(sentences: Sequence[Example]) -> list[dict[str, object]]:
    """Gather sentences by what they show; those that show nothing special form their own group.

    In each card, `place` is the index of the sentence in the model's file.
    """
    gathered: dict[str, list[dict[str, object]]] = {}
    for number, example in enumerate(sentences):
        card: dict[str, object] = {
            "place": number,
            "text": example.text,
            "look": _said(example.look),
            "link": link_of(example),
        }
        gathered.setdefault(example.shows, []).append(card)
    return [{"title": capital(_said(shows)), "cards": own} for shows, own in gathered.items()]


def link_of(example: Example) -> Offer | None:
    """Return the link to the page that an example names; None if this app has no such page."""
    asked = urlsplit(example.link)
    if asked.path not in page_links():
        return None
    with suppress(ValueError):
        return elsewhere(asked.path, **{**dict(parse_qsl(asked.query)), "sentence": example.text})
    return None


def _said(text: str) -> str:
    """Translate a text of an example; the catalogues hold the texts of the app's own models."""
    return _(text) if text else ""
