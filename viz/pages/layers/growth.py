"""The figure of the terms of table 1 by length: attention, recurrence, convolution."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.theme import HEAD_COLOURS, Theme, styled
from viz.language.text import _
from viz.pages.layers.costs import Growth, growth

LONGEST = 8192


def growth_figure(length: int, width: int, kernel: int, theme: Theme) -> go.Figure:
    """Draw n² d, n d² and k n d² by n, on two logarithmic axes; this n and n = d are marked."""
    curve = growth(np.geomspace(1, LONGEST, 60), width, kernel)
    here = growth(np.array([float(length)]), width, kernel)
    figure = go.Figure()
    names = (
        _("self-attention: n² d"),
        _("recurrence: n d²"),
        _("convolution, k = {kernel}: k n d²").format(kernel=kernel),
    )
    sides = ("bottom right", "bottom right", "top left")
    values = zip(_costs(curve), _costs(here), names, HEAD_COLOURS, sides, strict=False)
    for along, at, name, colour, side in values:
        _add_curve(figure, curve.n, along, name, colour)
        _add_point(figure, length, float(at[0]), colour, side)
    _mark(figure, length, _("this sentence: n = {n}").format(n=length), theme)
    _mark(figure, width, _("n = d = {d}").format(d=width), theme)
    figure.update_xaxes(type="log", title_text=_("length n"), tickvals=[1, 10, 100, 1000, 8192])
    figure.update_yaxes(type="log", title_text=_("terms of table 1"), exponentformat="SI")
    figure.update_layout(legend={"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0})
    return styled(figure, theme, 430)


def _costs(growth: Growth) -> tuple[NDArray[np.float64], ...]:
    return growth.attention, growth.recurrence, growth.convolution


def _add_curve(
    figure: go.Figure,
    n: NDArray[np.float64],
    costs: NDArray[np.float64],
    name: str,
    colour: str,
) -> None:
    figure.add_scatter(
        x=n,
        y=costs,
        name=name,
        line={"color": colour, "width": 3},
        hovertemplate="n = %{x:.0f}: %{y:.3s}<extra></extra>",
    )


def _add_point(figure: go.Figure, length: int, cost: float, colour: str, side: str) -> None:
    """Mark the term of this sentence, with its number on one side."""
    figure.add_scatter(
        x=[length],
        y=[cost],
        mode="markers+text",
        text=[f"{cost:,.0f}"],
        textposition=side,
        marker={"color": colour, "size": 11},
        showlegend=False,
        hovertemplate=f"n = {length}: %{{y:,.0f}}<extra></extra>",
    )


def _mark(figure: go.Figure, at: int, label: str, theme: Theme) -> None:
    figure.add_vline(x=at, line={"color": theme.text, "width": 1.5, "dash": "dot"})
    # On a logarithmic axis, plotly takes a line's place as a number, but an annotation's as a log.
    figure.add_annotation(
        x=np.log10(at), y=1, yref="paper", yanchor="bottom", text=label, showarrow=False
    )
