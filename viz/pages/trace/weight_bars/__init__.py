"""A row of attention as bars that can be dragged, under an arc whose end can be turned."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from viz.components.answer import refuse
from viz.components.component import renderer
from viz.figures.theme import KIND_COLOURS, token_text
from viz.language.text import _

ENTRY = Path(__file__).parent / "assets" / "weight_bars.js"


@dataclass(frozen=True, eq=False)
class Arc:
    """The arc above the bars, from the query to the key that it looks at most.

    `query` is the place of the query among the keys, None in cross-attention. `answers` (key, 2)
    are the probabilities of the two `words` when all weight of the `head` is on that key.
    """

    query: int | None
    answers: NDArray[np.float64]
    words: tuple[str, str]
    head: str


def weight_bars(
    keys: Sequence[str],
    weights: Sequence[float],
    own: Sequence[float],
    arc: Arc,
    kind: str,
    *,
    key: str,
    on_set: Callable[[], None],
    on_turned: Callable[[], None],
) -> None:
    """Draw weights over keys, with the model's `own` as outlines; a drag calls `on_set`.

    The end of the arc, left at another key, calls `on_turned`.
    """
    names = [token_text(token) for token in keys]
    first, second = arc.words
    texts = bars_texts()
    drag, likely = (texts[name].replace("{head}", arc.head) for name in ("drag", "likely"))
    renderer("weight_bars", ENTRY)(
        key=key,
        data={
            "keys": names,
            "weights": [float(weight) for weight in weights],
            "own": [float(weight) for weight in own],
            "query": arc.query,
            "turned": arc.answers.tolist(),
            "words": {
                "handle": texts["handle"],
                "drag": drag,
                "likely": likely.replace("{first}", f"{first} {{first}}").replace(
                    "{second}", f"{second} {{second}}"
                ),
            },
            "colour": KIND_COLOURS[kind],
            "legend": texts["legend"],
            "axis": texts["axis"],
        },
        on_weights_change=on_set,
        on_turned_change=on_turned,
    )


def bars_texts() -> dict[str, str]:
    """Return the texts of the bars; the browser fills in what is in braces."""
    return {
        "handle": _("the end of the arc"),
        "drag": _("Drag the end of the arc to another word: {head} then looks there alone."),
        "likely": _("{head} looks at {key} alone: {first}, {second}"),
        "legend": _("outline: the model's own weights"),
        "axis": _("key: who is looked at"),
    }


def turned_key(key: str, count: int) -> int | None:
    """Return the place of the key that the arc was turned onto; else None, with a notice."""
    sent = st.session_state[key].turned
    if isinstance(sent, int) and not isinstance(sent, bool) and 0 <= sent < count:
        return sent
    return refuse()


def set_weights(key: str, count: int) -> tuple[float, ...] | None:
    """Return the `count` weights that the browser sent; else None, with a notice."""
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
