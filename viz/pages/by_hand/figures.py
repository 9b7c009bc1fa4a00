"""Figures of small numbers: bars of scores, curves by the width d, and histograms of cosines."""

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import Number, token_ticks
from viz.figures.subplots import subplots
from viz.figures.theme import HEAD_COLOURS, KEY, LEGEND_ABOVE, OUTPUT, QUERY, VALUE, Theme, styled
from viz.language.text import _
from viz.pages.by_hand.numbers import WIDTHS, Chain, Spread

Floats = NDArray[np.floating]

TITLE = 11
"""The characters in a line of a title over bars: four titles fit side by side, even on a phone."""


def chain_figure(words: Chain, tokens: Sequence[str], theme: Theme) -> go.Figure:
    """Draw scores, divided scores and weights of a few words as bars, from left to right."""
    names = [_("q · k"), _("divided by √d_k"), _("softmax: weights"), _("without the division")]
    titles = ["<br>".join(textwrap.wrap(name, TITLE)) for name in names]
    rows = (words.scores, words.divided, words.weights, words.undivided)
    figure = subplots(1, 4, subplot_titles=titles, shared_yaxes=True, horizontal_spacing=0.05)
    for column, (values, colour) in enumerate(
        zip(rows, (QUERY, QUERY, VALUE, OUTPUT), strict=True), start=1
    ):
        share = column > 2
        figure.add_bar(
            x=values,
            y=list(range(len(tokens))),
            orientation="h",
            marker={"color": colour},
            showlegend=False,
            text=[f"{value:.2f}" if share else _plain(value) for value in values],
            textposition="outside",
            cliponaxis=False,
            row=1,
            col=column,
        )
        most = 1.9 if share else 1.6 * max(float(np.abs(values).max()), 1e-9)
        low = 0 if share or values.min() >= 0 else -most
        figure.update_xaxes(range=[low, most], showticklabels=False, row=1, col=column)
    figure.update_yaxes(
        **token_ticks(tokens),
        autorange="reversed",
    )
    figure.update_annotations(font_size=14)
    styled(figure, theme, 100 + 26 * max(len(tokens), 4))
    return figure.update_layout(margin_t=46)


def _plain(value: float) -> str:
    return f"{Number(value):.1f}".removesuffix(".0")


def scale_figure(
    divided: Sequence[Spread], raw: Sequence[Spread], d_k: int, theme: Theme
) -> go.Figure:
    """Draw variance, largest weight and Jacobian by d_k, with and without the division.

    They are one above the other, over one axis, so that their titles have room on a phone.
    """
    titles = [_("variance of the scores"), _("largest weight of a row"), _("size of the Jacobian")]
    figure = subplots(3, 1, subplot_titles=titles, shared_xaxes=True, vertical_spacing=0.09)
    sides = ((raw, KEY, _("q · k as it is")), (divided, QUERY, _("divided by √d_k")))
    for spreads, colour, name in sides:
        columns = (
            [spread.variance for spread in spreads],
            [spread.largest for spread in spreads],
            [spread.jacobian for spread in spreads],
        )
        for row, values in enumerate(columns, start=1):
            figure.add_scatter(
                x=list(WIDTHS),
                y=values,
                mode="lines+markers",
                line={"color": colour, "width": 3},
                name=name,
                showlegend=row == 1,
                hovertemplate="d_k = %{x}: %{y:.3g}<extra></extra>",
                row=row,
                col=1,
            )
    for row in (1, 2, 3):
        figure.add_vline(x=d_k, line={"color": theme.text, "dash": "dot"}, row=row, col=1)
        figure.update_yaxes(rangemode="tozero", row=row, col=1)
    # Without a step of 1, plotly also writes 2 and 5 between the powers of ten, in small type.
    figure.update_yaxes(type="log", dtick=1, row=1, col=1)
    figure.update_xaxes(type="log", tickvals=[1, 8, 64, 512])
    figure.update_xaxes(title_text="d_k", row=3, col=1)
    figure.update_annotations(font_size=14)
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": 1.06, "yanchor": "bottom"})
    return styled(figure, theme, 560)


def cosine_figure(histograms: Mapping[str, Floats], theme: Theme) -> go.Figure:
    """Draw the distribution of the cosines (n,) of each named set of pairs."""
    figure = go.Figure()
    edges = np.linspace(-1, 1, 101)
    colours = (QUERY, KEY, HEAD_COLOURS[2])
    for (name, values), colour in zip(histograms.items(), colours, strict=False):
        counts, _edges = np.histogram(values, edges)
        figure.add_scatter(
            x=(edges[1:] + edges[:-1]) / 2,
            y=counts / len(values),
            mode="lines",
            line={"color": colour, "width": 3, "shape": "hvh"},
            name=name,
            hovertemplate="%{x:.2f}: %{y:.1%}<extra></extra>",
        )
    figure.update_xaxes(title_text=_("cosine of a pair"), range=[-1, 1])
    figure.update_yaxes(title_text=_("share of the pairs"), tickformat=".0%", rangemode="tozero")
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 380)
