"""Attention of one head as a heatmap: query on rows, key on columns."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.text import _
from viz.theme import Theme, key_axis, query_axis, styled, token_text

CELL, LEAST, MOST = 30, 320, 1100
"""Pixels: height of a row of the heatmap, and the least and greatest height of a figure."""


def attention_heatmap(
    weights: NDArray[np.float32],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    theme: Theme,
) -> go.Figure:
    """Draw weights (query, key), each row a distribution over the keys, on one scale 0 to 1.

    Raises ValueError when the tokens do not fit the shape.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(
            f"weights of shape {weights.shape} do not fit {len(queries)} queries, {len(keys)} keys"
        )
    query, key, weight = _("query"), _("key"), _("weight")
    figure = go.Figure(
        go.Heatmap(
            z=weights,
            zmin=0,
            zmax=1,
            xgap=1,
            ygap=1,
            colorscale=[list(stop) for stop in theme.sequential],
            colorbar={"title": {"text": weight}, "thickness": 14, "tickformat": ".1f"},
            customdata=[[(token_text(q), token_text(k)) for k in keys] for q in queries],
            hovertemplate=f"{query}: %{{customdata[0]}}<br>{key}: %{{customdata[1]}}<br>"
            f"{weight}: %{{z:.2f}}<extra></extra>",
        )
    )
    figure.update_xaxes(_labels(keys, key_axis()), side="top", tickangle=-45)
    figure.update_yaxes(_labels(queries, query_axis()), autorange="reversed")
    heading = {"text": title, "font": {"size": 18}, "x": 0, "y": 0.99, "yref": "container"}
    figure.update_layout(title={**heading, "yanchor": "top", "automargin": True})
    return styled(figure, theme, min(MOST, max(LEAST, 190 + CELL * len(queries))))


def _labels(tokens: Sequence[str], title: str) -> dict[str, object]:
    """Write the tokens along an axis; equal tokens stay apart, as ticks are positions."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(tokens))),
        "ticktext": [_plain(token_text(token)) for token in tokens],
        "tickfont": {"size": 14 if len(tokens) <= 40 else 9},
        "title": {"text": title, "font": {"size": 15}},
        "showgrid": False,
    }


def _plain(text: str) -> str:
    """Keep plotly from reading a token as markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
