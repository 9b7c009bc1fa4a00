"""The step-through decoder: the browser gets whole decodes, and steps through them by itself."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from viz.components.answer import refuse
from viz.components.component import palette, renderer
from viz.components.head_links import head_link_texts
from viz.compute import examples, runs
from viz.link.branches import MAX_BRANCHES
from viz.link.offers import head_offers
from viz.pages.decoder.step_decoder.branch import Scene
from viz.pages.decoder.step_decoder.payload import encode
from viz.pages.decoder.step_decoder.view import DecoderView
from viz.pages.decoder.step_decoder.words import decoder_words

ENTRY = Path(__file__).parent / "assets" / "main.js"

LONGEST = 50_000
"""The most characters of an answer: forty branches of many pieces have 30,000."""

Answer = Mapping[str, str]
"""An answer of the browser: parameters of a view, `turn`, and perhaps `typed` text to force."""


def step_decoder(
    scene: Scene, view: DecoderView, turn: str, key: str, on_answer: Callable[[], None]
) -> None:
    """Draw the decoder on a scene.

    Stepping needs no server. When the reader chooses something, `on_answer` is called, and
    `answer_of(key)` returns the choice. `turn` is the number of the browser's answer that this
    follows.
    """
    renderer("step_decoder", ENTRY)(
        key=key, data=message(scene, view, turn), on_answer_change=on_answer, height="content"
    )


def answer_of(key: str) -> Answer:
    """Return the last answer of the browser as strings; {} and a notice if it makes no sense."""
    sent: Any = st.session_state[key].answer
    plain = str | int | float | None
    if not isinstance(sent, dict) or not all(isinstance(one, plain) for one in sent.values()):
        refuse()
        return {}
    answer = {str(name): str(text) for name, text in sent.items()}
    if sum(map(len, answer.values())) > LONGEST:
        refuse()
        return {}
    return answer


def message(scene: Scene, view: DecoderView, turn: str) -> bytes:
    """Return the message to the browser."""
    card = runs.card()
    extra = {
        "smoothing": card.settings.get("smoothing", 0) if card else 0,
        "view": asdict(view),
        "turn": turn,
        "maxBranches": MAX_BRANCHES,
        "words": decoder_words(),
        "headLinks": head_link_texts(),
        "headOffers": head_offers(),
        "language": examples.current().target,
        "colours": palette(),
    }
    return encode(scene, extra)
