"""The links of one head as a matrix, query by key: clicks and strokes forbid or allow them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.sites.sites import Kind
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.components.message import quantise
from viz.figures.theme import KEY, QUERY, Theme, key_axis, query_axis, token_text
from viz.language.text import _

ENTRY = Path(__file__).parent / "assets" / "mask_board.js"

Cell = tuple[int, int]
"""A link: query and key, from 0."""

MOST_CELLS = 3000
"""The most cells of a stroke: as many links as the address of the page can hold."""


@dataclass(frozen=True, eq=False)
class Links:
    """The links of one head (query, key): weights, masked links and forbidden links.

    `masked` are hidden by a mask of the model or by a change, `forbidden` only by hand.
    """

    kind: Kind
    queries: Sequence[str]
    keys: Sequence[str]
    weights: NDArray[np.float32]
    masked: NDArray[np.bool_]
    forbidden: NDArray[np.bool_]


@dataclass(frozen=True)
class Stroke:
    """Cells of one stroke of the pointer, to `forbid` or to allow again."""

    forbid: bool
    cells: tuple[Cell, ...]


def mask_board(
    links: Links,
    name: str,
    key: str,
    turn: int,
    on_draw: Callable[[], None],
    theme: Theme,
) -> None:
    """Draw the matrix; `on_draw` is called when `drawn(key)` has a stroke.

    `turn` counts the strokes so far: nothing else tells the browser to drop a refused stroke.
    """
    renderer("mask_board", ENTRY)(
        key=key,
        data={**message(links, theme), "name": name, "turn": turn},
        on_stroke_change=on_draw,
    )


def message(links: Links, theme: Theme) -> dict[str, object]:
    """Return the data of the component, without the name of the head and the count of strokes."""
    return {
        "sides": {
            "query": "source" if links.kind == "encoder" else "target",
            "key": "target" if links.kind == "decoder" else "source",
        },
        "queries": [token_text(token) for token in links.queries],
        "keys": [token_text(token) for token in links.keys],
        "weights": quantise(links.weights).tolist(),
        "masked": links.masked.astype(int).tolist(),
        "forbidden": links.forbidden.astype(int).tolist(),
        "scale": [list(stop) for stop in theme.sequential],
        "queryColour": QUERY,
        "keyColour": KEY,
        "words": {
            "query": query_axis() if links.kind == "encoder" else _("query: after reading …"),
            "key": key_axis(),
            "more": _("{count} more →"),
            "weight": _("weight"),
            "forbidden": _("forbidden by you"),
            "masked": _("hidden by a mask"),
            "legend": _("weight 0 to 1"),
            "help": _("arrow keys move, space forbids or allows"),
        },
    }


def drawn(key: str) -> Stroke | None:
    """Return the last stroke that the browser sent; None, and a notice, if it makes no sense."""
    sent = st.session_state[key].stroke
    cells = sent.get("cells") if isinstance(sent, dict) else None
    if not isinstance(cells, list) or len(cells) > MOST_CELLS:
        return refuse()
    places = [_cell(cell) for cell in cells]
    if None in places:
        return refuse()
    return Stroke(bool(sent.get("forbid")), tuple(dict.fromkeys(filter(None, places))))


def _cell(value: object) -> Cell | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    query, key = map(whole, value)
    return None if query is None or key is None else (query, key)
