"""A board of heads on which one head is tapped."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from viz.components.answer import refuse, whole
from viz.components.component import renderer

_ENTRY = Path(__file__).parent / "assets" / "tap_board.js"
_KEY = "tap board"


def tap_board(
    names: Sequence[str], heads: int, colour: str, on_choice: Callable[[int], None]
) -> None:
    """Draw a cell for each name, `heads` in a row; `on_choice` gets the index of the tapped one."""

    def take() -> None:
        index = whole(st.session_state[_KEY].place)
        if index is None or index >= len(names):
            return refuse()
        on_choice(index)

    data = {"names": list(names), "heads": heads, "colour": colour}
    renderer("tap_board", _ENTRY)(key=_KEY, data=data, on_place_change=take)
