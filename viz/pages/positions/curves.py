"""The figure of some dimensions of the encoding as curves: slow and fast sines and cosines."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _
from viz.pages.positions.table import Layout, sinusoids

FINE = 6
"""The steps drawn from one position to the next, so that a fast sine looks like one."""


def curves_figure(
    dimensions: Sequence[int],
    length: int,
    width: int,
    base: float,
    layout: Layout,
    sentence: int,
    theme: Theme,
) -> go.Figure:
    """Draw dimensions by position, as curves with dots at the positions, which are whole numbers.

    The first `sentence` positions, which the sentence uses, are shaded. Raises ValueError when a
    dimension does not exist.
    """
    if wrong := [dimension for dimension in dimensions if not 0 <= dimension < width]:
        raise ValueError(f"dimensions must be 0 to {width - 1}, not {wrong}")
    figure = go.Figure()
    for number, dimension in enumerate(dimensions):
        colour = HEAD_COLOURS[number % len(HEAD_COLOURS)]
        _add_curve(figure, dimension, length, width, base, layout, colour)
    if sentence < length:
        figure.add_vrect(
            x0=-0.5, x1=sentence - 0.5, fillcolor=theme.text, opacity=0.07, line_width=0
        )
    figure.update_xaxes(title=_("position"), range=[-0.5, length - 0.5])
    figure.update_yaxes(title=_("value"), range=[-1.12, 1.12])
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 385)


def _add_curve(
    figure: go.Figure,
    dimension: int,
    length: int,
    width: int,
    base: float,
    layout: Layout,
    colour: str,
) -> None:
    whole = np.arange(length)
    fine = np.linspace(0, length - 1, (length - 1) * FINE + 1)
    name = _("dimension {number}").format(number=dimension)
    figure.add_scatter(
        x=fine,
        y=sinusoids(fine, width, base, layout)[:, dimension].astype(np.float32),
        mode="lines",
        line={"color": colour, "width": 2},
        hoverinfo="skip",
        name=name,
        legendgroup=name,
    )
    figure.add_scatter(
        x=whole,
        y=sinusoids(whole, width, base, layout)[:, dimension].astype(np.float32),
        mode="markers",
        marker={"color": colour, "size": 6 if length <= 80 else 3},
        hovertemplate="PE(%{x}) = %{y:.3f}<extra>" + name + "</extra>",
        showlegend=False,
        legendgroup=name,
    )
