"""Figures of fresh weights: their numbers, and the effect of larger and smaller weights."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.learning.beginning import Sizes
from viz.figures.labels import Number
from viz.figures.subplots import subplots
from viz.figures.theme import HEAD_COLOURS, KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _

HEIGHT, BINS = 470, 60


def drawn_figure(
    fresh: NDArray[np.floating], trained: NDArray[np.floating], bound: float, theme: Theme
) -> go.Figure:
    """Draw the distribution of the numbers in a fresh and in the trained matrix, and the bound."""
    most = max(bound * 1.2, float(np.quantile(np.abs(trained), 0.998)))
    edges = np.linspace(-most, most, BINS + 1)
    figure = go.Figure()
    both = ((fresh, _("fresh"), QUERY), (trained, _("this model, trained"), KEY))
    for values, name, colour in both:
        shares = np.histogram(values, edges)[0] / values.size
        figure.add_scatter(
            x=list((edges[1:] + edges[:-1]) / 2),
            y=list(shares),
            name=name,
            mode="lines",
            line={"color": colour, "width": 2.5, "shape": "hvh"},
            hovertemplate=f"{name}, %{{x:.3f}}: %{{y:.1%}}<extra></extra>",
        )
    for side in (-bound, bound):
        figure.add_vline(x=side, line={"color": theme.text, "width": 1.5, "dash": "dot"})
        figure.add_annotation(
            x=side,
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            text=f"{Number(side):.3f}",
        )
    figure.update_xaxes(title_text=_("number in the matrix"), range=[-most, most])
    figure.update_yaxes(title_text=_("share of the numbers"), tickformat=".1%", rangemode="tozero")
    figure.update_layout(legend={**LEGEND_ABOVE, "y": 1.08})
    return styled(figure, theme, HEIGHT).update_layout(margin_t=70)


def sizes_figure(sizes: Mapping[float, Sizes], theme: Theme) -> go.Figure:
    """Draw, for each factor, the size of what each sublayer adds, and of vectors without norms."""
    titles = [
        _("what a sublayer adds, over what was there"),
        _("the vector where all norms are left out"),
    ]
    figure = subplots(2, 1, shared_xaxes=True, vertical_spacing=0.13, subplot_titles=titles)
    for (factor, sizes_of), colour in zip(sizes.items(), HEAD_COLOURS, strict=False):
        name = _("as drawn") if factor == 1 else _("times {factor:g}").format(factor=factor)
        lines = (sizes_of.added, sizes_of.stream[1:])
        for row, values in enumerate(lines, start=1):
            figure.add_scatter(
                x=[1 + index / 2 for index in range(len(values))],
                y=list(values),
                name=name,
                legendgroup=name,
                showlegend=row == 1,
                mode="lines+markers",
                line={"color": colour, "width": 2.5},
                hovertemplate=f"{name}: %{{y:.3g}}<extra></extra>",
                row=row,
                col=1,
            )
    figure.update_yaxes(type="log", exponentformat="power", nticks=4)
    figure.update_yaxes(dtick=1, row=1, col=1)
    figure.update_xaxes(showgrid=False, dtick=1)
    figure.update_xaxes(title_text=_("encoder layer, with its two sublayers"), row=2, col=1)
    figure.update_layout(legend={**LEGEND_ABOVE, "y": 1.08})
    return styled(figure, theme, HEIGHT).update_layout(margin_t=70)
