"""A row of tokens, of which one is chosen."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import streamlit as st

from model.words import is_mute
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.figures.theme import token_text

Side = Literal["source", "target"]
ENTRY = Path(__file__).parent / "assets" / "token_row.js"


def token_row(
    label: str,
    tokens: Sequence[str],
    name: str,
    chosen: int,
    colour: str,
    on_choice: Callable[[int], None],
    *,
    side: Side | None = None,
    model: str = "",
    note: str = "",
) -> None:
    """Draw tokens as chips; `on_choice` is called with a clicked token's position, from 0.

    `name` tells the rows of a page apart. With a `side`, the tokens are those of the app's sentence
    or its translation, and a click also opens the menu of the token. `model` names the model that
    wrote them, unless it is the model in force. The `note` follows the chips.
    """
    key = f"token row {name}"

    def take() -> None:
        position = whole(st.session_state[key].position)
        if position is None or position >= len(tokens):
            return refuse()
        on_choice(position)

    renderer("token_row", ENTRY)(
        key=key,
        data={
            "label": label,
            "tokens": [token_text(token) for token in tokens],
            "special": [is_mute(token) for token in tokens],
            "chosen": chosen,
            "colour": colour,
            "side": side,
            "model": model,
            "note": note,
        },
        on_position_change=take,
    )
