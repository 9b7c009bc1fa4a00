"""The attention explorer: lines, grid and matrix of one recording, entirely in the browser."""

import json
from functools import cache
from pathlib import Path

from streamlit.components.v2 import component
from streamlit.components.v2.types import ComponentRenderer

from viz.pages.explorer.attention_explorer.payload import encode
from viz.pages.explorer.attention_explorer.recording import MAX_TOKENS, ExplorerRecording
from viz.pages.explorer.attention_explorer.words import explorer_words
from viz.shared import theme

__all__ = ["MAX_TOKENS", "ExplorerRecording", "attention_explorer", "message"]

_ASSETS = Path(__file__).parent / "assets"
_SHARED = Path(__file__).parents[3] / "shared" / "javascript"
_SCRIPTS = (
    "payload.js",
    "state.js",
    "transform.js",
    "toolbar.js",
    "aids.js",
    "token_list.js",
    "lines.js",
    "matrix.js",
    "grid.js",
    "side.js",
    "picture.js",
    "scene.js",
    "exports.js",
    "keyboard.js",
    "main.js",
)


def attention_explorer(recording: ExplorerRecording, key: str) -> None:
    """Draw the explorer of a recording.

    What a reader chooses stays in the browser and in the address bar; nothing comes back.
    """
    _component()(key=key, data=message(recording), height="content")


def message(recording: ExplorerRecording) -> bytes:
    """Return what is sent to the browser, once per recording."""
    return encode(recording, explorer_words(), _colours())


@cache
def _component() -> ComponentRenderer:
    return component("attention_explorer", js=script(), html="<div></div>\n")


@cache
def script() -> str:
    """Join the assets into one module around one function.

    The function's own source text is what the downloaded HTML file runs, so it holds all there is.
    """
    style = json.dumps((_ASSETS / "style.css").read_text(encoding="utf-8"))
    files = [_SHARED / "dom.js", _SHARED / "colours.js"] + [_ASSETS / name for name in _SCRIPTS]
    parts = [path.read_text(encoding="utf-8") for path in files]
    return "\n".join(
        (
            "const headlightExplorer = function () {",
            '"use strict";',
            f"const STYLE = {style};",
            *parts,
            "return { render, standalone };",
            "};",
            "const explorer = headlightExplorer();",
            "export default explorer.render;",
        )
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
