"""Figures of add & norm: numbers before and after it, and two axes along which to take a mean."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import Number, token_label
from viz.figures.subplots import subplots
from viz.figures.theme import (
    HEAD_COLOURS,
    KEY,
    LEGEND_ABOVE,
    QUERY,
    VALUE,
    Theme,
    styled,
)
from viz.language.text import _
from viz.pages.block.norm_numbers import AddNorm

BEFORE, AFTER = HEAD_COLOURS[-1], VALUE
"""The colours of a sum, and of the same numbers once normalised."""


def spread_figure(shown: AddNorm, theme: Theme) -> go.Figure:
    """Draw the distributions of the sum's numbers before and after the norm, one over the other."""
    both = shown.total, shown.normed
    reach = float(np.ceil(np.quantile(np.abs(both), 0.998))) or 1.0
    bins = np.linspace(-reach, reach, 31)  # the outermost bars also count the numbers beyond
    figure = go.Figure()
    names = _("before: mean {mean}"), _("after: mean {mean}")
    counts = [np.histogram(np.clip(vector, -reach, reach), bins)[0] for vector in both]
    for vector, count, colour, name in zip(both, counts, (BEFORE, AFTER), names, strict=True):
        mean = Number(round(float(vector.mean()), 2) + 0.0)
        figure.add_scatter(
            x=(bins[1:] + bins[:-1]) / 2,
            y=count,
            name=name.format(mean=f"{mean:.2f}"),
            mode="lines",
            line={"color": colour, "width": 3, "shape": "hvh"},
            fill="tozeroy",
            hovertemplate="%{x:.2f}: %{y}<extra></extra>",
        )
    tallest = float(np.max(counts))
    for above, vector, colour in zip((1.28, 1.12), both, (BEFORE, AFTER), strict=True):
        _bracket(figure, vector, above * tallest, colour)
    figure.update_xaxes(range=[-reach, reach], title_text=_("value"))
    figure.update_yaxes(title_text=_("how many numbers"), rangemode="tozero")
    return styled(figure, theme, 320).update_layout(legend=LEGEND_ABOVE)


def _bracket(figure: go.Figure, vector: NDArray[np.floating], y: float, colour: str) -> None:
    """Draw one standard deviation of a vector (D,), at height `y`, from its mean on."""
    mean, deviation = float(vector.mean()), float(vector.std())
    figure.add_scatter(
        x=[mean, mean + deviation],
        y=[y, y],
        mode="lines+markers+text",
        text=["", f" σ {deviation:.2f}"],  # noqa: RUF001
        textposition="middle right",
        line={"color": colour, "width": 4},
        marker={"symbol": "line-ns", "size": 14, "line": {"color": colour, "width": 4}},
        showlegend=False,
        hoverinfo="skip",
    )


def axes_figure(
    sums: NDArray[np.floating], tokens: Sequence[str], token: int, dimension: int, theme: Theme
) -> go.Figure:
    """Draw sums (n, D), with a token's row framed for LayerNorm and a dimension for BatchNorm."""
    count, width = sums.shape
    figure = subplots(
        2,
        2,
        column_widths=[0.82, 0.18],
        row_heights=[0.72, 0.28],
        shared_xaxes=True,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        vertical_spacing=0.04,
    )
    most = float(np.quantile(np.abs(sums), 0.995)) or 1e-9
    figure.add_heatmap(
        z=sums,
        x=np.arange(1, width + 1),
        y=np.arange(count),
        zmin=-most,
        zmax=most,
        showscale=False,
        colorscale=[list(stop) for stop in theme.diverging],
        hovertemplate=f"%{{y}}, {_('dimension')} %{{x}}: %{{z:.2f}}<extra></extra>",
        row=1,
        col=1,
    )
    _means(figure, sums, theme)
    row = (0.5, token - 0.5), (width + 0.5, token + 0.5)
    column = (dimension + 0.5, -0.5), (dimension + 1.5, count - 0.5)
    for (x0, y0), (x1, y1), colour in ((*row, QUERY), (*column, KEY)):
        line = {"color": colour, "width": 3}
        figure.add_shape(type="rect", x0=x0, y0=y0, x1=x1, y1=y1, line=line, row=1, col=1)
    names = [token_label(each) for each in tokens]
    figure.update_yaxes(tickvals=list(range(count)), ticktext=names, showgrid=False, row=1)
    figure.update_yaxes(autorange="reversed", row=1)
    figure.update_xaxes(title_text=_("dimension"), row=2, col=1)
    return styled(figure, theme, 210 + 18 * min(count, 30))


def _means(figure: go.Figure, sums: NDArray[np.floating], theme: Theme) -> None:
    """Draw the mean of each row on the right, and of each column below."""
    count, width = sums.shape
    figure.add_bar(
        x=sums.mean(axis=1),
        y=np.arange(count),
        orientation="h",
        marker={"color": QUERY},
        name=_("LayerNorm: a mean for each token"),
        hovertemplate=f"{_('mean')} %{{x:.3f}}<extra></extra>",
        row=1,
        col=2,
    )
    figure.add_bar(
        x=np.arange(1, width + 1),
        y=sums.mean(axis=0),
        marker={"color": KEY, "line": {"width": 0}},
        name=_("BatchNorm: a mean for each dimension"),
        hovertemplate=f"{_('dimension')} %{{x}}: %{{y:.3f}}<extra></extra>",
        row=2,
        col=1,
    )
    figure.update_layout(
        legend=LEGEND_ABOVE,
        bargap=0,
        legend_font_color=theme.text,
    )
