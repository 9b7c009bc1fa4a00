"""Add & norm as a sum on paper: vectors below each other, a short stretch with its numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from viz.components.answer import refuse, whole
from viz.components.component import palette, renderer
from viz.figures.labels import Number
from viz.language.text import _
from viz.pages.block.norm_numbers import AddNorm, Floats

_MAIN = Path(__file__).parent / "assets" / "add_norm.js"
KEY, STRETCH = "steps", 6
"""The dimensions whose numbers are written."""


@dataclass(frozen=True, eq=False)
class Row:
    """A vector (D,) of the sum: the sign before it, its name, and what is said of it.

    A `slim` row, a factor or a separate term, has numbers but no stripes: its size is different.
    """

    sign: str
    name: str
    note: str
    vector: Floats
    slim: bool = False


def rows_of(shown: AddNorm, sublayer: str, residual: bool) -> list[Row]:
    """Return the rows of the sum, in the order of the pass; without `residual`, x is left out."""
    added = Row("+" if residual else "", sublayer, _length(shown.added), shown.added)
    came = [Row("", _("x: what comes in"), _length(shown.x), shown.x)] if residual else []
    by = _("minus {mean}, by {deviation}").format(
        mean=f"{_rounded(shown.mean):.2f}", deviation=f"{shown.deviation:.2f}"
    )
    return [
        *came,
        added,
        Row("=", _("s, their sum") if residual else "s", _moments(shown.total), shown.total),
        Row("÷", _("(s − mean) / σ"), by, shown.normed),  # noqa: RUF001
        Row("×", _("γ: learned gain"), "", shown.gain, slim=True),  # noqa: RUF001
        Row("+", _("β: learned shift"), "", shown.bias, slim=True),
        Row("=", _("out"), _moments(shown.out), shown.out),
    ]


def draw_sum(rows: list[Row], chosen: int, on_choice: Callable[[int], None]) -> None:
    """Draw the rows, with stripes on one scale; a slider moves the stretch with numbers.

    The dimension `chosen`, from 0, is marked; `on_choice` is called with a pressed dimension.
    """

    def take() -> None:
        press: object = st.session_state[KEY].press
        at = whole(press.get("dimension")) if isinstance(press, dict) else None
        if at is None or at >= width:
            return refuse()
        on_choice(at)

    wide = [row.vector for row in rows if not row.slim]
    most = float(np.quantile(np.abs(wide), 0.99)) or 1e-9
    width = len(rows[0].vector)
    data = {
        "rows": [
            {
                "sign": row.sign,
                "name": row.name,
                "note": row.note,
                "slim": row.slim,
                "vector": np.round(row.vector, 4).tolist(),
            }
            for row in rows
        ],
        "first": first_drawn(rows),
        "chosen": chosen,
        "stretch": min(STRETCH, width),
        "most": most,
        "palette": palette(),
        "words": {
            "stretch": _("dimensions {first} to {last} of {all}"),
            "below": f"≤ {Number(-most):.1f}",
            "above": f"≥ {most:.1f}",
            "label": _("Add and norm, number by number"),
            "press": _("Work out dimension {dimension} below"),
        },
    }
    renderer("add norm", _MAIN)(key=KEY, data=data, on_press_change=take)


def first_drawn(rows: list[Row]) -> int:
    """Return the first dimension, from 0, whose numbers are written at first."""
    return busiest(np.stack([row.vector for row in rows[:2]]), STRETCH)


def busiest(both: Floats, length: int) -> int:
    """Return the start, from 0, of a stretch in which both vectors (2, D) are far from 0."""
    low = np.abs(both).min(axis=0)
    if len(low) <= length:
        return 0
    return int(np.convolve(low, np.ones(length), "valid").argmax())


def _length(vector: Floats) -> str:
    return _("length {length}").format(length=f"{np.linalg.norm(vector):.1f}")


def _moments(vector: Floats) -> str:
    return _("mean {mean}, σ {deviation}").format(  # noqa: RUF001
        mean=f"{_rounded(float(vector.mean())):.2f}", deviation=f"{vector.std():.2f}"
    )


def _rounded(value: float) -> Number:
    """Round a number for two digits; a zero has no minus sign."""
    return Number(round(value, 2) + 0.0)
