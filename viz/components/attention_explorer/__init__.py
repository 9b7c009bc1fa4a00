"""The attention explorer: lines, grid and matrix of one recording, entirely in the browser."""

from pathlib import Path

from viz.components.attention_explorer.payload import encode
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.components.attention_explorer.words import explorer_words
from viz.components.component import classic, palette, renderer

ENTRY = Path(__file__).parent / "assets" / "main.js"


def attention_explorer(recording: ExplorerRecording, key: str) -> None:
    """Draw the explorer of a recording.

    A reader's choices stay in the browser and its address. Pages learn of them through `tellFocus`
    of focus.js, not through an answer of this component.
    """
    renderer("attention_explorer", ENTRY)(key=key, data=message(recording), height="content")


def script() -> str:
    """Return the component's script for a page without a server."""
    return classic(ENTRY)


def message(recording: ExplorerRecording) -> bytes:
    """Return the message to the browser, in the form of viz/components/message.py, deflated."""
    words = explorer_words(recording.languages)
    return encode(recording, words, palette())
