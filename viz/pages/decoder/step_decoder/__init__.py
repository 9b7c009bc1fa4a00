"""The step-through decoder: a whole decode in the browser, stepped there without a round trip."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components import v2
from streamlit.components.v2.types import ComponentRenderer

from viz.pages.decoder.step_decoder.branch import Scene
from viz.pages.decoder.step_decoder.payload import encode
from viz.pages.decoder.step_decoder.view import MAX_BRANCHES, DecoderView
from viz.pages.decoder.step_decoder.words import decoder_words
from viz.shared import theme

__all__ = ["Answer", "answer_of", "message", "step_decoder"]

_ASSETS = Path(__file__).parent / "assets"
_SHARED = Path(__file__).parents[3] / "shared" / "javascript"
_SCRIPTS = (
    _SHARED / "dom.js",
    _SHARED / "colours.js",
    _ASSETS / "scene.js",
    _ASSETS / "odds.js",
    _ASSETS / "view.js",
    _ASSETS / "parts.js",
    _ASSETS / "controls.js",
    _ASSETS / "transport.js",
    _ASSETS / "picture.js",
    _ASSETS / "bars.js",
    _ASSETS / "reason.js",
    _ASSETS / "branches.js",
    _ASSETS / "alignment.js",
    _ASSETS / "tree.js",
    _ASSETS / "given.js",
    _ASSETS / "growth.js",
    _ASSETS / "main.js",
)

Answer = Mapping[str, str]
"""What the browser sends: the parameters of a view, `turn`, and perhaps `typed` text to force."""


def step_decoder(
    scene: Scene, view: DecoderView, turn: str, key: str, on_answer: Callable[[], None]
) -> None:
    """Draw the decoder on a scene.

    Stepping stays in the browser. When the reader chooses something, `on_answer` is called and
    `answer_of(key)` holds the choice; `turn` tells the browser which of its messages this answers.
    """
    _component()(
        key=key, data=message(scene, view, turn), on_answer_change=on_answer, height="content"
    )


def answer_of(key: str) -> Answer:
    """Return what the browser last sent, as strings whatever it was."""
    sent: Any = st.session_state[key].answer
    if not isinstance(sent, dict):
        return {}
    return {str(name): str(text) for name, text in sent.items()}


def message(scene: Scene, view: DecoderView, turn: str) -> bytes:
    """Return what is sent to the browser."""
    extra = {
        "view": asdict(view),
        "turn": turn,
        "maxBranches": MAX_BRANCHES,
        "words": decoder_words(),
        "colours": _colours(),
    }
    return encode(scene, extra)


@cache
def _component() -> ComponentRenderer:
    return v2.component("step_decoder", js=script(), html="<div></div>\n")


@cache
def script() -> str:
    """Join the assets into one module."""
    style = json.dumps((_ASSETS / "style.css").read_text(encoding="utf-8"))
    return "\n".join(
        (f"const STYLE = {style};", *(p.read_text(encoding="utf-8") for p in _SCRIPTS))
    )


def _colours() -> dict[str, object]:
    return {
        "light": theme.LIGHT.sequential,
        "dark": theme.DARK.sequential,
        "heads": theme.HEAD_COLOURS,
        "query": theme.QUERY,
        "key": theme.KEY,
        "kinds": theme.KIND_COLOURS,
    }
