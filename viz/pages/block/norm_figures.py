"""Figures of add & norm: its vectors step by step, and the two axes along which to take a mean."""

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
    OUTPUT,
    QUERY,
    VALUE,
    Theme,
    styled,
)
from viz.language.text import _
from viz.pages.block.norm_numbers import AddNorm, Floats

COLOURS = ("#56B4E9", OUTPUT, HEAD_COLOURS[-1], VALUE, VALUE)
"""The colours of x, of what is added, of their sum, and of the sum once normalised."""


EDGES = (0, 0.6, 1.6, 2.6, 3.6, 4.3, 5.3, 6.3)
"""The edges of the rows: a heading, x, what is added and the sum; a heading, the norm and out."""

_HEADINGS, _ROWS, _HIGH, _INTO = (0, 4), (1, 2, 3, 5, 6), 0.74, 144


def steps_figure(shown: AddNorm, sublayer: str, theme: Theme) -> go.Figure:
    """Draw the five vectors of add & norm on one scale: as stripes, and how they are spread."""
    vectors = (shown.x, shown.added, shown.total, shown.normed, shown.out)
    width = len(shown.x)
    titles = [
        _("{count} numbers").format(count=width),
        _("their spread"),
    ]
    figure = subplots(
        1,
        2,
        subplot_titles=titles,
        column_widths=[0.58, 0.42],
        horizontal_spacing=0.03,
        shared_yaxes=True,
    )
    most = float(np.quantile(np.abs(vectors), 0.99)) or 1e-9
    rows = np.full((len(EDGES) - 1, width), np.nan)
    rows[list(_ROWS)] = vectors
    figure.add_heatmap(
        z=rows,
        x=np.arange(1, width + 1),
        y=EDGES,
        zmin=-most,
        zmax=most,
        ygap=6,
        showscale=False,
        colorscale=[list(stop) for stop in theme.diverging],
        hovertemplate=f"{_('dimension')} %{{x}}: %{{z:.4f}}<extra></extra>",
        hoverongaps=False,
        row=1,
        col=1,
    )
    _spreads(figure, vectors, theme)
    names = _names(shown, sublayer)
    centres = [(EDGES[row] + EDGES[row + 1]) / 2 for row in _ROWS]
    figure.update_yaxes(tickvals=centres, ticktext=names, range=[EDGES[-1], 0], showgrid=False)
    figure.update_xaxes(showgrid=False, range=[0.5, width + 0.5], row=1, col=1)
    said = _("Add: two vectors become one"), _("Norm: mean 0 and σ 1, then times γ, plus β")  # noqa: RUF001
    for row, text in zip(_HEADINGS, said, strict=True):
        figure.add_annotation(
            text=f"<b>{text}</b>",
            xref="paper",
            x=0,
            xanchor="left",
            xshift=-_INTO,
            y=(EDGES[row] + EDGES[row + 1]) / 2,
            showarrow=False,
        )
    figure.update_annotations(font_size=15)
    styled(figure, theme, 380)
    return figure.update_layout(showlegend=False, margin_t=30, margin_r=18)


def _names(shown: AddNorm, sublayer: str) -> list[str]:
    """Name the five vectors, each with the numbers that matter for its step."""
    return [
        _row(_("x: what comes in"), _length(shown.x, 1 - shown.share)),
        _row(f"+ {sublayer}", _length(shown.added, shown.share)),
        _row(_("= s, their sum"), _moments(shown.total)),
        _row(_("(s − mean) / σ"), _moments(shown.normed)),  # noqa: RUF001
        _row(_("times γ, plus β: out"), _moments(shown.out)),  # noqa: RUF001
    ]


def _row(name: str, numbers: str) -> str:
    return f"<b>{name}</b><br>{numbers}"


def _length(vector: Floats, share: float) -> str:
    length = float(np.linalg.norm(vector))
    text = _("length {length}, {share} of s")
    return text.format(length=f"{length:.1f}", share=f"{Number(round(share, 2) + 0.0):.0%}")


def _moments(vector: Floats) -> str:
    mean = Number(round(float(vector.mean()), 2) + 0.0)
    return _("mean {mean}, σ {deviation}").format(  # noqa: RUF001
        mean=f"{mean:.2f}", deviation=f"{vector.std():.2f}"
    )


def _spreads(figure: go.Figure, vectors: Sequence[Floats], theme: Theme) -> None:
    """Draw each vector's histogram in its row, and below it its mean and its standard deviation."""
    reach = float(np.ceil(np.quantile(np.abs(vectors), 0.998))) or 1.0
    bins = np.linspace(-reach, reach, 61)
    counts = [np.histogram(vector, bins)[0] for vector in vectors]
    most = max(int(count.max()) for count in counts)
    middles = (bins[1:] + bins[:-1]) / 2
    for row, vector, count, colour in zip(_ROWS, vectors, counts, COLOURS, strict=True):
        base = EDGES[row + 1] - 0.16
        figure.add_scatter(
            x=np.concatenate([middles, middles[::-1]]),
            y=np.concatenate([base - _HIGH * count / most, np.full(len(middles), base)]),
            customdata=np.concatenate([count, count[::-1]]),
            mode="lines",
            fill="toself",
            line={"color": colour, "width": 1},
            hovertemplate="%{x:.2f}: %{customdata}<extra></extra>",
            row=1,
            col=2,
        )
        mean, deviation = float(vector.mean()), float(vector.std())
        figure.add_scatter(
            x=[mean - deviation, mean, mean + deviation],
            y=[base + 0.07] * 3,
            mode="lines+markers",
            line={"color": theme.text, "width": 3},
            marker={"size": [0, 9, 0], "color": theme.text},
            hovertemplate="%{x:.2f}<extra></extra>",
            row=1,
            col=2,
        )
    figure.add_shape(  # between -1 and 1 lies what has a standard deviation of 1
        type="rect",
        x0=-1,
        x1=1,
        y0=EDGES[5],
        y1=EDGES[6],
        line_width=0,
        fillcolor=theme.text,
        opacity=0.1,
        layer="below",
        row=1,  # pyright: ignore
        col=2,  # pyright: ignore
    )
    figure.update_xaxes(range=[-reach, reach], row=1, col=2, dtick=1 if reach <= 5 else None)


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
