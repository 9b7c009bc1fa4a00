"""A signed difference of attention: after minus before, or one sentence minus the other."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label
from viz.text import _
from viz.theme import Theme, key_axis, query_axis, styled

CELL, LEAST, MOST = 28, 320, 1000
"""Pixels: height of a row of the heatmap, and the least and greatest height of a figure."""

SMALLEST_RANGE = 0.05
"""The scale reaches at least this far, so that rounding is not blown up into a picture."""

UNSEEN = 5e-4
"""Below this every change rounds to 0.00."""


def reach(change: NDArray[np.float32]) -> float:
    """Return how far the scale goes on both sides of 0."""
    largest = float(np.nanmax(np.abs(change), initial=0))
    return max(SMALLEST_RANGE, largest)


def difference_heatmap(
    change: NDArray[np.float32],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    theme: Theme,
) -> go.Figure:
    """Draw differences of weights (query, key) on a scale centred at 0; NaN stays blank.

    Raises ValueError when the tokens do not fit the shape.
    """
    if change.shape != (len(queries), len(keys)):
        raise ValueError(
            f"changes of shape {change.shape} do not fit {len(queries)} queries, {len(keys)} keys"
        )
    query, key, name, most = _("query"), _("key"), _("change"), reach(change)
    figure = go.Figure(
        go.Heatmap(
            z=change,
            zmin=-most,
            zmax=most,
            xgap=1,
            ygap=1,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"title": {"text": name}, "thickness": 14, "tickformat": "+.2f"},
            customdata=[[(token_label(q), token_label(k)) for k in keys] for q in queries],
            hovertemplate=f"{query}: %{{customdata[0]}}<br>{key}: %{{customdata[1]}}<br>"
            f"{name}: %{{z:+.3f}}<extra></extra>",
        )
    )
    figure.update_xaxes(_labels(keys, key_axis()), side="top", tickangle=-45)
    figure.update_yaxes(_labels(queries, query_axis()), autorange="reversed")
    if most == SMALLEST_RANGE and np.nanmax(np.abs(change), initial=0) < UNSEEN:
        figure.add_annotation(
            text=_("the attention of this head did not change"),
            x=0.5,
            y=0.5,
            xref="paper",
            yref="paper",
            showarrow=False,
            font={"size": 18},
        )
    heading = {"text": title, "font": {"size": 18}, "x": 0, "y": 0.99, "yref": "container"}
    figure.update_layout(title={**heading, "yanchor": "top", "automargin": True})
    return styled(figure, theme, min(MOST, max(LEAST, 190 + CELL * len(queries))))


def _labels(tokens: Sequence[str], title: str) -> dict[str, object]:
    """Write the tokens along an axis; equal tokens stay apart, as ticks are positions."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(tokens))),
        "ticktext": [token_label(token) for token in tokens],
        "tickfont": {"size": 14 if len(tokens) <= 40 else 9},
        "title": {"text": title, "font": {"size": 15}},
        "showgrid": False,
    }
