"""A badge with the difference between recomputed numbers and the model's own."""

import streamlit as st

from viz.figures.labels import Number
from viz.language.text import _

CLOSE = 1e-4
"""A difference below this is only the rounding of single precision."""


def recomputed(largest: float, detail: str = "") -> None:
    """Draw the badge: green for a difference below `CLOSE`; `detail` is its tooltip."""
    close = largest < CLOSE
    label = _("Recomputed from these numbers: within {difference} of the model's")
    st.badge(
        label.format(difference=f"{Number(largest):.1e}"),
        color="green" if close else "orange",
        icon=":material/check:" if close else ":material/warning:",
        help=detail or _("Single precision rounds: a difference below 1e-4 is only that."),
    )
