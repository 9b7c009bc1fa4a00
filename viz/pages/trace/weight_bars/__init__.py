"""One row of attention as bars that can be dragged, and always add up to 1."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from viz.components.answer import refuse
from viz.components.component import renderer
from viz.figures.theme import KIND_COLOURS, token_text
from viz.language.text import _

_MAIN = Path(__file__).parent / "assets" / "weight_bars.js"


def weight_bars(
    keys: Sequence[str],
    weights: Sequence[float],
    own: Sequence[float],
    key: str,
    on_set: Callable[[], None],
    kind: str,
) -> None:
    """Draw weights over keys, with the model's `own` as outlines; a drag calls `on_set`."""
    renderer("weight_bars", _MAIN)(
        key=key,
        data={
            "keys": [token_text(token) for token in keys],
            "weights": [float(weight) for weight in weights],
            "own": [float(weight) for weight in own],
            "colour": KIND_COLOURS[kind],
            "legend": _("outline: the model's own weights"),
            "axis": _("key: who is looked at"),
        },
        on_weights_change=on_set,
    )


def set_weights(key: str, count: int) -> tuple[float, ...] | None:
    """Return the weights that the browser sent, `count` of them; None, and a notice, otherwise."""
    sent = st.session_state[key].weights
    if not isinstance(sent, list) or len(sent) != count:
        return refuse()
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in sent):
        return refuse()
    if not all(math.isfinite(one) and 0 <= one <= 1 for one in sent) or not sum(sent):
        return refuse()
    return distribution(np.array(sent))


def distribution(weights: NDArray[np.floating]) -> tuple[float, ...]:
    """Return weights with four decimals that add up to 1; the largest takes the rounding error."""
    rounded = np.round(weights / weights.sum(), 4).astype(np.float64)
    largest = int(rounded.argmax())
    rounded[largest] = round(rounded[largest] + 1 - rounded.sum(), 4)
    return tuple(map(float, rounded))
