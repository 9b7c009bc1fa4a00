"""A matrix of query-key links of one head: click or drag cells to forbid links or allow them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from viz.shared.component import renderer
from viz.shared.message import quantise
from viz.shared.text import _
from viz.shared.theme import KEY, QUERY, Theme, key_axis, query_axis, token_text

_MAIN = Path(__file__).parent / "assets" / "mask_board.js"

Cell = tuple[int, int]
"""A link: query and key, from 0."""


@dataclass(frozen=True, eq=False)
class Links:
    """The links of one head (query, key): weights, what masks hide and what the user forbids."""

    queries: Sequence[str]
    keys: Sequence[str]
    weights: NDArray[np.float32]
    masked: NDArray[np.bool_]
    forbidden: NDArray[np.bool_]


@dataclass(frozen=True)
class Stroke:
    """Cells that were drawn over in one go, to be forbidden or allowed again."""

    forbid: bool
    cells: tuple[Cell, ...]


def mask_board(
    links: Links, name: str, key: str, turn: int, on_draw: Callable[[], None], theme: Theme
) -> None:
    """Draw the matrix; `on_draw` is called when `drawn(key)` has a stroke.

    `turn` counts the strokes that were dealt with: a refused one changes nothing else here.
    """
    renderer("mask_board", _MAIN)(
        key=key,
        data={
            "name": name,
            "turn": turn,
            "queries": [token_text(token) for token in links.queries],
            "keys": [token_text(token) for token in links.keys],
            "weights": quantise(links.weights).tolist(),
            "masked": links.masked.astype(int).tolist(),
            "forbidden": links.forbidden.astype(int).tolist(),
            "scale": [list(stop) for stop in theme.sequential],
            "queryColour": QUERY,
            "keyColour": KEY,
            "words": {
                "query": query_axis(),
                "key": key_axis(),
                "weight": _("weight"),
                "forbidden": _("forbidden by you"),
                "masked": _("hidden by a mask"),
                "legend": _("weight 0 to 1"),
                "help": _("arrow keys move, space forbids or allows"),
            },
        },
        on_stroke_change=on_draw,
    )


def drawn(key: str) -> Stroke | None:
    """Return the stroke that the browser sent last; None when it makes no sense."""
    sent = st.session_state[key].stroke
    if not isinstance(sent, dict) or not isinstance(sent.get("cells"), list):
        return None
    cells = [cell for cell in sent["cells"] if _is_cell(cell)]
    return Stroke(bool(sent.get("forbid")), tuple((int(cell[0]), int(cell[1])) for cell in cells))


def _is_cell(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(number, int | float) and number >= 0 for number in value)
    )
