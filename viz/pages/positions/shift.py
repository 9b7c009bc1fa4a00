"""The figure of the matrix that moves every position on by k, and of its error."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.subplots import subplots
from viz.figures.theme import KEY, QUERY, Theme, styled
from viz.language.text import _
from viz.pages.positions.table import Array

FLOOR = 1e-18
"""The place of an exact zero on the logarithmic axis."""


def shift_figure(
    matrix: Array,
    dimensions: NDArray[np.int64],
    positions: NDArray[np.int64],
    residual: Array,
    change: Array,
    theme: Theme,
) -> go.Figure:
    """Draw a part of the matrix M and, for each p, the distance of M PE(p) from PE(p + k).

    `matrix` (n, n) has the rows and columns `dimensions` (n,). `residual` (P,) are these distances,
    `change` (P,) those of PE(p) itself.
    """
    pointed = _("to {row}, from {column}: {value}")
    titles = [_("The matrix M"), _("Largest difference to PE(p + k), by position p")]
    columns = {"column_widths": [0.45, 0.55], "horizontal_spacing": 0.2}
    figure = subplots(1, 2, subplot_titles=titles, **columns)
    figure.add_heatmap(
        z=matrix,
        x=dimensions.astype(str),
        y=dimensions.astype(str),
        zmin=-1,
        zmax=1,
        colorscale=[list(stop) for stop in theme.diverging],
        colorbar={"title": {"text": _("value")}, "thickness": 14, "x": 0.39},
        hovertemplate=pointed.format(row="%{y}", column="%{x}", value="%{z:.3f}<extra></extra>"),
        row=1,
        col=1,
    )
    _add_differences(figure, positions, residual, change)
    figure.update_xaxes(title=_("dimension of PE(p)"), type="category", row=1, col=1)
    figure.update_yaxes(title=_("dimension of PE(p + k)"), type="category", row=1, col=1)
    figure.update_yaxes(autorange="reversed", row=1, col=1)
    figure.update_xaxes(title=_("position p"), row=1, col=2)
    figure.update_yaxes(type="log", range=[-18.5, 1], dtick=3, exponentformat="power", row=1, col=2)
    figure.update_layout(legend={"x": 1, "xanchor": "right", "y": 0.62})
    return styled(figure, theme, 470)


def _add_differences(
    figure: go.Figure, positions: NDArray[np.int64], residual: Array, change: Array
) -> None:
    lines = (
        (change, _("PE(p), not moved"), KEY, "circle-open"),
        (residual, _("M PE(p)"), QUERY, "circle"),
    )
    for values, name, colour, symbol in lines:
        figure.add_scatter(
            x=positions,
            y=np.maximum(values, FLOOR),
            customdata=values,
            mode="markers",
            marker={"color": colour, "size": 6, "symbol": symbol},
            name=name,
            hovertemplate="p = %{x}: %{customdata:.1e}<extra></extra>",
            row=1,
            col=2,
        )
