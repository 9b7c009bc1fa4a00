"""Figures of optimizers: walks down a valley, and the singular values of a matrix's steps."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.learning.optimizers import Walk, loss
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _

X, Y = (-3.2, 3.2), (-2.4, 2.4)


def walks_figure(walks: Mapping[str, Walk], steep: float, theme: Theme) -> go.Figure:
    """Draw the named walks on a map of the valley, whose lowest point is 0."""
    x, y = np.linspace(*X, 81), np.linspace(*Y, 61)
    height = loss(np.stack(np.meshgrid(x, y), axis=-1), steep)  # y x
    figure = go.Figure()
    figure.add_contour(
        x=x,
        y=y,
        z=np.sqrt(height),
        ncontours=14,
        showscale=False,
        contours={"coloring": "lines"},
        line={"width": 1},
        colorscale=[[0, theme.grid], [1, theme.grid]],
        hoverinfo="skip",
    )
    for (name, walk), colour in zip(walks.items(), HEAD_COLOURS, strict=False):
        figure.add_scatter(
            x=walk.weights[:, 0],
            y=walk.weights[:, 1],
            name=name,
            mode="lines+markers",
            marker={"size": 6},
            line={"color": colour, "width": 2.5},
            customdata=loss(walk.weights, steep),
            text=[str(step) for step in range(len(walk.weights))],
            hovertemplate=f"{name}, %{{text}}: %{{x:.3f}}, %{{y:.3f}} · {_('loss')} "
            "%{customdata:.4f}<extra></extra>",
        )
    figure.add_scatter(
        x=[0],
        y=[0],
        mode="markers",
        marker={"symbol": "cross-thin", "size": 14, "line": {"width": 2, "color": theme.text}},
        showlegend=False,
        hoverinfo="skip",
    )
    figure.update_xaxes(title_text=_("weight w₁"), range=list(X), showgrid=False)
    figure.update_yaxes(title_text=_("weight w₂"), range=list(Y), showgrid=False)
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 440)


def singular_figure(named: Mapping[str, NDArray[np.float32]], theme: Theme) -> go.Figure:
    """Draw series of singular values (n,), largest first, as shares of the largest.

    The axis ends at twice the rank of the first series.
    """
    figure, first = go.Figure(), next(iter(named.values()))
    rank = int((first > 1e-3 * first[0]).sum())
    for (name, values), colour in zip(named.items(), HEAD_COLOURS, strict=False):
        figure.add_scatter(
            x=np.arange(1, len(values) + 1),
            y=values / max(float(values[0]), 1e-30),
            name=name,
            mode="lines",
            line={"color": colour, "width": 2.5},
            hovertemplate=f"{name}, %{{x}}: %{{y:.3f}}<extra></extra>",
        )
    title = _("direction, the most stretched first")
    figure.update_xaxes(title_text=title, range=[0.5, min(2 * rank, len(first)) + 0.5])
    figure.update_yaxes(title_text=_("share of the largest"), rangemode="tozero")
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 340)
