"""Figures of the four measures of a piece's dependence on each word, and of their agreement."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.effect.difference import cut
from viz.figures.ink import inked
from viz.figures.labels import Number, token_label
from viz.figures.theme import Theme, styled
from viz.language.text import _


def measures_heatmap(
    measures: Sequence[str],
    units: Sequence[str],
    words: Sequence[str],
    values: NDArray[np.float64],
    theme: Theme,
) -> go.Figure:
    """Draw signed values (measure, word), each row on a scale up to its largest size.

    Small values are written in a power of ten of their unit, which the row's name gives.
    Raises ValueError when names and numbers do not fit.
    """
    if not values.shape == (len(measures), len(words)) == (len(units), len(words)):
        raise ValueError(f"{values.shape} numbers, {len(measures)} x {len(words)} names")
    largest = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-12)
    powers = np.where((largest < 0.1) & (largest > 1e-9), np.floor(np.log10(largest)), 0)
    written = np.round(values / 10**powers, 2) + 0.0  # no -0.00
    names = [
        f"{measure}<br>{_most(power, unit, row)}"
        for measure, power, unit, row in zip(measures, powers[:, 0], units, written, strict=True)
    ]
    figure = go.Figure(_cells(values, values / largest, written, theme))
    _label(figure, names, words)
    return styled(figure, theme, 390 if len(words) > MANY else 330)


MANY = 16
"""The most words for which numbers fit into the cells."""


def _cells(
    values: NDArray[np.float64],
    shares: NDArray[np.float64],
    written: NDArray[np.float64],
    theme: Theme,
) -> go.Heatmap:
    """Colour the cells by their shares of the row's largest value; write `written` on them."""
    texts = [[f"{Number(value):.2f}" for value in row] for row in written]
    bar = {"title": {"text": _("of the row's<br>largest")}, "thickness": 14}
    return go.Heatmap(
        z=shares.tolist(),
        zmin=-1,
        zmax=1,
        xgap=2,
        ygap=4,
        colorscale=[list(stop) for stop in theme.diverging],
        colorbar={**bar, "tickvals": [-1, 0, 1], "ticktext": ["\u22121", "0", "+1"]},
        customdata=values.tolist(),
        text=inked(texts, shares, theme.diverging, -1, 1),
        texttemplate="%{text}" if values.shape[1] <= MANY else "",
        textfont={"size": 14},
        hovertemplate="%{y}<br>%{x}: %{customdata:.3~g}<extra></extra>",
    )


def _label(figure: go.Figure, names: Sequence[str], words: Sequence[str]) -> None:
    ticks, many = [token_label(cut(word, 14)) for word in words], len(words) > MANY
    figure.update_xaxes(tickmode="array", tickvals=list(range(len(words))), ticktext=ticks)
    figure.update_xaxes(side="top", tickangle=-90 if many else -30, showgrid=False)
    figure.update_xaxes(tickfont={"size": 10 if many else 15})
    figure.update_yaxes(tickmode="array", tickvals=list(range(len(names))), ticktext=names)
    figure.update_yaxes(autorange="reversed", showgrid=False, tickfont={"size": 16})


def _most(power: float, unit: str, row: NDArray[np.float64]) -> str:
    """Say which unit has the largest value of a row, and that value."""
    factor = f"10<sup>{Number(power):.0f}</sup> " if power else ""
    return _("in {unit}, up to {most:.2f}").format(unit=factor + unit, most=np.abs(row).max())


def agreement_heatmap(
    measures: Sequence[str], agreement: NDArray[np.float64], theme: Theme
) -> go.Figure:
    """Draw the rank correlations (measure, measure), from -1 to 1; NaN stays blank.

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
                [["" if np.isnan(v) else f"{Number(v):+.2f}" for v in row] for row in agreement],
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
    figure.update_xaxes(side="top", showgrid=False, tickfont={"size": 16})
    figure.update_yaxes(autorange="reversed", showgrid=False, tickfont={"size": 16})
    return styled(figure, theme, 330)
