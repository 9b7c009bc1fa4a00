"""A row of tokens of which one is chosen; the choice stands in the link, from 1."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from model.words import is_mute
from viz.shared.answer import refuse, whole
from viz.shared.component import renderer
from viz.shared.theme import token_text

_MAIN = Path(__file__).parent / "assets" / "token_row.js"


def token_row(label: str, tokens: Sequence[str], name: str, default: int, colour: str) -> int:
    """Draw tokens as chips and return the chosen position, from 0.

    The link holds it from 1 under `name`; a position that the sentence does not have, or none,
    means `default`.
    """
    key = f"token row {name}"

    def choose() -> None:
        chosen = whole(st.session_state[key].position)
        if chosen is None:
            return refuse()
        st.session_state[f"{name} position"] = chosen + 1
        st.query_params[name] = str(st.session_state[f"{name} position"])

    position = _position(name, len(tokens), default)
    renderer("token_row", _MAIN)(
        key=key,
        data={
            "label": label,
            "tokens": [token_text(token) for token in tokens],
            "special": [is_mute(token) for token in tokens],
            "chosen": position,
            "colour": colour,
        },
        on_position_change=choose,
    )
    return position


def _position(name: str, count: int, default: int) -> int:
    """Read the link; without it, what was chosen before on this page."""
    text = st.query_params.get(name) or str(st.session_state.get(f"{name} position", ""))
    chosen = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
    if not 1 <= chosen <= count:
        return min(default, count - 1)
    if name not in st.query_params:
        st.query_params[name] = str(chosen)
    return chosen - 1
