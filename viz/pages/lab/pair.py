"""Minimal pairs: two pieces' odds in two sentences, and four measures of what a piece needs."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.pages.lab.difference import cut
from viz.shared.ink import inked
from viz.shared.labels import token_label
from viz.shared.text import _
from viz.shared.theme import Theme, styled


def odds_chart(
    sentences: Sequence[str],
    pieces: Sequence[str],
    likely: NDArray[np.float64],
    theme: Theme,
) -> go.Figure:
    """Draw the probability (sentence, piece) of two pieces in two sentences as bars.

    Raises ValueError when names and numbers do not fit.
    """
    if likely.shape != (len(sentences), len(pieces)):
        raise ValueError(f"{likely.shape} numbers, {len(sentences)} x {len(pieces)} names")
    figure = go.Figure()
    places = list(range(len(sentences)))
    colours = theme.diverging[0][1], theme.diverging[-1][1]
    for place, (piece, colour) in enumerate(zip(pieces, colours, strict=True)):
        figure.add_bar(
            y=places,
            x=likely[:, place],
            orientation="h",
            name=token_label(piece),
            marker={"color": colour},
            text=[f"{token_label(piece)} {value:.1%}" for value in likely[:, place]],
            textposition="outside",
            textfont={"size": 15},
            cliponaxis=False,
            hovertemplate=f"{token_label(piece)}: %{{x:.2%}}<extra></extra>",
        )
    figure.update_xaxes(range=[0, 1.16], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_xaxes(title={"text": _("probability"), "font": {"size": 15}})
    figure.update_yaxes(tickmode="array", tickvals=places, autorange="reversed")
    figure.update_yaxes(ticktext=[token_label(name) for name in sentences], tickfont={"size": 15})
    figure.update_layout(barmode="group", showlegend=False, bargap=0.3)
    return styled(figure, theme, 230)


def measures_heatmap(
    measures: Sequence[str],
    units: Sequence[str],
    words: Sequence[str],
    values: NDArray[np.float64],
    theme: Theme,
) -> go.Figure:
    """Draw signed values (measure, word), each row on its own scale to its largest size.

    A row whose values are small is written in a power of ten of its unit, which its name gives.
    Raises ValueError when names and numbers do not fit.
    """
    if not values.shape == (len(measures), len(words)) == (len(units), len(words)):
        raise ValueError(f"{values.shape} numbers, {len(measures)} x {len(words)} names")
    largest = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-12)
    powers = np.where((largest < 0.1) & (largest > 1e-9), np.floor(np.log10(largest)), 0)
    written = np.round(values / 10**powers, 2) + 0.0  # no -0.00
    figure = go.Figure(
        go.Heatmap(
            z=(values / largest).tolist(),
            zmin=-1,
            zmax=1,
            xgap=2,
            ygap=4,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={
                "title": {"text": _("of the row's<br>largest")},
                "thickness": 14,
                "tickvals": [-1, 0, 1],
                "ticktext": ["-1", "0", "+1"],
            },
            customdata=values.tolist(),
            text=inked(
                [[f"{value:.2f}" for value in row] for row in written],
                values / largest,
                theme.diverging,
                -1,
                1,
            ),
            texttemplate="%{text}" if len(words) <= 16 else "",
            textfont={"size": 14},
            hovertemplate="%{y}<br>%{x}: %{customdata:.3~g}<extra></extra>",
        )
    )
    ticks = [token_label(cut(word, 14)) for word in words]
    many = len(words) > 16
    figure.update_xaxes(tickmode="array", tickvals=list(range(len(words))), ticktext=ticks)
    figure.update_xaxes(side="top", tickangle=-90 if many else -30, showgrid=False)
    figure.update_xaxes(tickfont={"size": 10 if many else 15})
    figure.update_yaxes(tickmode="array", tickvals=list(range(len(measures))))
    names = [
        f"{measure}<br>{_most(power, unit, row)}"
        for measure, power, unit, row in zip(measures, powers[:, 0], units, written, strict=True)
    ]
    figure.update_yaxes(ticktext=names, autorange="reversed", showgrid=False)
    figure.update_yaxes(tickfont={"size": 14})
    return styled(figure, theme, 390 if many else 330)


def _most(power: float, unit: str, row: NDArray[np.float64]) -> str:
    """Name the unit of a row and its largest value."""
    factor = f"10<sup>{power:.0f}</sup> " if power else ""
    return _("in {unit}, up to {most:.2f}").format(unit=factor + unit, most=np.abs(row).max())


def agreement_heatmap(
    measures: Sequence[str], agreement: NDArray[np.float64], theme: Theme
) -> go.Figure:
    """Draw the rank correlations of measures with each other, -1 to 1; NaN stays blank.

    Raises ValueError when names and numbers do not fit.
    """
    if agreement.shape != (len(measures), len(measures)):
        raise ValueError(f"{agreement.shape} correlations, {len(measures)} names")
    figure = go.Figure(
        go.Heatmap(
            z=agreement,
            x=list(measures),
            y=list(measures),
            zmin=-1,
            zmax=1,
            xgap=3,
            ygap=3,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"title": {"text": _("rank<br>correlation")}, "thickness": 14},
            text=inked(
                [["" if np.isnan(v) else f"{v:+.2f}" for v in row] for row in agreement],
                agreement,
                theme.diverging,
                -1,
                1,
            ),
            texttemplate="%{text}",
            textfont={"size": 15},
            hovertemplate="%{y} / %{x}: %{z:+.2f}<extra></extra>",
        )
    )
    figure.update_xaxes(side="top", showgrid=False, tickfont={"size": 14})
    figure.update_yaxes(autorange="reversed", showgrid=False, tickfont={"size": 14})
    return styled(figure, theme, 330)
