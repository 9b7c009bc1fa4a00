"""The view of masks as numbers: minus infinity or -1e9, and a row without any key."""

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.results import Run
from viz.figures.table import show_table
from viz.language.formula import in_formula
from viz.language.text import _
from viz.link import address
from viz.pages.by_hand.numbers import Masked, masked_rows

MINUS = "\N{MINUS SIGN}"


def masks_panel(run: Run) -> None:  # noqa: ARG001
    """Draw boxes for two scores, and their weights with each mask, in two precisions."""
    st.markdown(
        _(
            "A mask adds something to the scores of keys that may not be looked at, before the "
            "softmax. Type two scores; the table shows the weights that come out."
        )
    )
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    scores = (
        _typed(row, _("Score of “Thinking”"), "masked_1", 14.0),
        _typed(row, _("Score of “Machines”"), "masked_2", 12.0),
    )
    rows = masked_rows(scores)
    st.latex(
        rf"{in_formula(_('weights'))} = \text{{softmax}}(s + m),\qquad "
        r"m_j \in \{-\infty,\ -10^9\}"
    )
    show_table(
        {
            _("added"): [row.mask.replace("-", MINUS) for row in rows],
            _("precision"): [row.precision for row in rows],
            _("“Machines” masked"): [_weights(row.one) for row in rows],
            _("both masked"): [_weights(row.all) for row in rows],
        },
    )
    st.markdown(_words(rows))


def _typed(row: DeltaGenerator, label: str, key: str, first: float) -> float:
    return row.number_input(label, -99.0, 99.0, first, 1.0, key=key, bind=address.BOUND, width=200)


def _weights(weights: tuple[float, ...]) -> str:
    return ", ".join("NaN" if math.isnan(weight) else f"{weight:.2f}" for weight in weights)


def _words(rows: list[Masked]) -> str:
    """Describe the table by its computed rows."""
    nan = [row for row in rows if any(math.isnan(weight) for weight in row.all)]
    named = ", ".join(f"{row.mask.replace('-', MINUS)} ({row.precision})" for row in nan)
    return _(
        "With one key masked, all agree. With all keys masked there is nothing to share out: "
        "{nan} give NaN, not a number, which then spreads through the whole model; float16 ends at "
        "65,504, so {big} is minus infinity there. In float32 {big} makes an even row of it, which "
        "looks harmless and is wrong. This model uses minus infinity, and refuses interventions "
        "that leave a row empty."
    ).format(nan=named, big=f"{MINUS}1e9")
