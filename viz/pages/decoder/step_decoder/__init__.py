"""The step-through decoder: a whole decode in the browser, stepped there without a round trip."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from viz.components.answer import refuse
from viz.components.component import palette, renderer
from viz.components.head_links import head_link_texts
from viz.compute import examples
from viz.link.branches import MAX_BRANCHES, Forcing, write_branches
from viz.link.offers import head_offers
from viz.pages.decoder.step_decoder.branch import Scene
from viz.pages.decoder.step_decoder.payload import encode
from viz.pages.decoder.step_decoder.view import DecoderView
from viz.pages.decoder.step_decoder.words import decoder_words

ENTRY = Path(__file__).parent / "assets" / "main.js"

LONGEST = 50_000
"""Characters of the longest answer: forty branches of many pieces are 30,000."""

Answer = Mapping[str, str]
"""The answer of the browser: parameters of a view, `turn`, and perhaps `typed` text to force."""


def step_decoder(
    scene: Scene, view: DecoderView, turn: str, key: str, on_answer: Callable[[], None]
) -> None:
    """Draw the decoder on a scene.

    Stepping stays in the browser. When the reader chooses something, `on_answer` is called and
    `answer_of(key)` holds the choice; `turn` tells the browser which of its messages this answers.
    """
    renderer("step_decoder", ENTRY)(
        key=key, data=message(scene, view, turn), on_answer_change=on_answer, height="content"
    )


def answer_of(key: str) -> Answer:
    """Return the last answer of the browser as strings; if it makes no sense, {} and a notice."""
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


def message(
    scene: Scene, view: DecoderView, turn: str, recorded: Sequence[Forcing] | None = None
) -> bytes:
    """Return the message to the browser.

    Where no model runs, `recorded` are the branches there are: only these can be chosen.
    """
    extra = {
        "view": asdict(view),
        "turn": turn,
        "maxBranches": MAX_BRANCHES,
        "words": decoder_words(runs_model=recorded is None),
        "headLinks": head_link_texts(),
        "headOffers": head_offers() if recorded is None else None,
        "recorded": None if recorded is None else [write_branches((one,)) for one in recorded],
        "language": examples.current().target,
        "colours": palette(),
    }
    return encode(scene, extra)
