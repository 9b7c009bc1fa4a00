"""What is left of a notebook's figures where nothing runs: on GitHub, in a PDF, as plain text."""

import base64
from collections.abc import Sequence

from model.recording.markup import PLAIN, html, table
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.components.attention_explorer.start import starting_point
from viz.figures.theme import key_axis, query_axis
from viz.language.text import _
from viz.notebook.paper.attention import Choice, attention_picture, shown
from viz.notebook.paper.picture import svg

MOST = 48
"""The most queries, and keys, that are drawn unasked; the caption says so."""

_HIDE = "<style>.headlight-static{display:none}</style>"
"""Hides the picture where styles work: there the frame works, too. GitHub strips both."""


def opening(recording: ExplorerRecording) -> Choice:
    """Return the head on which the explorer opens, and its first tokens."""
    start = recording.start or starting_point(recording)
    layer, head = start.heads[start.kind]
    places = [
        tuple(range(1, MOST + 1)) if len(tokens) > MOST else None
        for tokens in recording.tokens(start.kind)
    ]
    return Choice(start.kind, layer + 1, (head + 1,), "matrix", "mean", *places)


def static_svg(recording: ExplorerRecording) -> str:
    """Draw the opening view as SVG."""
    return svg(attention_picture(recording, opening(recording)))


def static_text(recording: ExplorerRecording) -> str:
    """Write the opening view as lines: whom each query looks at most, and how much."""
    return aligned((query_axis(), key_axis(), _("weight")), _rows(recording))


def static_html(recording: ExplorerRecording) -> str:
    """Write the opening view as an image and a table, to stand before the frame."""
    picture = base64.b64encode(static_svg(recording).encode()).decode()
    rows = ([html(cell) for cell in row] for row in _rows(recording))
    looks = table((query_axis(), key_axis(), _("weight")), rows)
    image = f'<img src="data:image/svg+xml;base64,{picture}" alt="">'
    return f'{_HIDE}<div class="headlight-static"><p {PLAIN}>{image}</p>{looks}</div>'


def _rows(recording: ExplorerRecording) -> list[tuple[str, str, str]]:
    seen = shown(recording, opening(recording))
    weights = seen.weights[0]  # query key
    best = weights.argmax(axis=1).tolist()
    return [
        (query, seen.keys[key], f"{row[key]:.2f}")
        for query, key, row in zip(seen.queries, best, weights, strict=True)
    ]


def aligned(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table as lines of text."""
    every = [names, *rows]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in every
    )
    return "\n".join(lines)
