"""Attention as a heatmap: queries in rows, keys in columns."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import named_cells, token_label, token_ticks, without_formulas
from viz.figures.theme import Scale, Theme, key_axis, query_axis, styled
from viz.language.text import _

CELL, LEAST, MOST = 30, 170, 1100
"""Pixels: height of a row, least height of all rows (for the axis name), largest of a figure."""

HEADING, SLANT, MOST_SLANT = 100, 5.5, 130
"""Pixels above the cells: for the title and the axis name, and for each letter of a slanted key."""


def attention_heatmap(
    weights: NDArray[np.float32],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    theme: Theme,
    name: str | None = None,
) -> go.Figure:
    """Draw weights (query, key), or other shares by their `name`, on one scale 0 to 1.

    Raises ValueError when the tokens do not fit the shape.
    """
    figure = query_key_heatmap(weights, queries, keys, name or _("weight"), theme.sequential, ".2f")
    figure.update_traces(zmin=0, zmax=1, colorbar={"tickformat": ".1f"})
    return titled(figure, title, theme, keys, len(queries))


def query_key_heatmap(
    values: NDArray[np.float32],
    queries: Sequence[str],
    keys: Sequence[str],
    name: str,
    scale: Scale,
    digits: str,
) -> go.Figure:
    """Draw values (query, key) with both axes named; `name` and `digits` are for the tooltip.

    Raises ValueError when the tokens do not fit the shape.
    """
    if values.shape != (len(queries), len(keys)):
        raise ValueError(
            f"{name} of shape {values.shape} does not fit {len(queries)} queries, {len(keys)} keys"
        )
    figure = go.Figure(
        go.Heatmap(
            z=values,
            xgap=1,
            ygap=1,
            colorscale=[list(stop) for stop in scale],
            colorbar={"title": {"text": name}, "thickness": 14},
            customdata=named_cells(map(token_label, queries), map(token_label, keys)),
            hovertemplate=f"{_('query')}: %{{customdata[0]}}<br>{_('key')}: %{{customdata[1]}}<br>"
            f"{name}: %{{z:{digits}}}<extra></extra>",
        )
    )
    figure.update_xaxes(_labels(keys, key_axis()), side="top", tickangle=-45)
    figure.update_yaxes(_labels(queries, query_axis()), autorange="reversed")
    return figure


def titled(
    figure: go.Figure, title: str, theme: Theme, keys: Sequence[str], rows: int
) -> go.Figure:
    """Put a title above the key axis and give the figure the height of its rows.

    The space for the slanted keys is computed from their lengths, as plotly's automatic margins let
    a title and an axis on the same side overlap.
    """
    top = HEADING + min(SLANT * max(map(len, keys), default=0), MOST_SLANT)
    styled(figure, theme, round(min(MOST, top + 60 + max(LEAST, CELL * rows))))
    heading = {
        "text": without_formulas(title),
        "font": {"size": 18},
        "x": 0,
        "y": 1,
        "yref": "container",
    }
    figure.update_layout(title={**heading, "yanchor": "top", "pad": {"t": 8}}, margin_t=top)
    return figure.update_xaxes(automargin=False)


def _labels(tokens: Sequence[str], title: str) -> dict[str, object]:
    """Write the tokens along an axis; equal tokens stay apart, as ticks are positions."""
    return {
        **token_ticks(tokens),
        "tickfont": {"size": 14 if len(tokens) <= 40 else 9},
        "title": {"text": title, "font": {"size": 15}},
    }
