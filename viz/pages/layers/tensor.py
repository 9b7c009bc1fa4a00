"""Heatmaps of a block's output, with the length of each token's vector beside it."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import named_cells, token_label, token_ticks
from viz.figures.subplots import subplots
from viz.figures.theme import OUTPUT, Theme, styled
from viz.language.text import _
from viz.pages.layers.numbers import norms, thinned

MOST_CELLS = 40_000
"""About the most numbers that are drawn; more would take the browser too long."""
_CELL, _LEAST, _MOST = 22, 300, 720


def tensor_heatmap(values: NDArray[np.floating], tokens: Sequence[str], theme: Theme) -> go.Figure:
    """Draw (n, D) with a row for each token, on a signed scale, and the row's length as a bar.

    Raises ValueError when the tokens do not fit the shape.
    """
    if len(values) != len(tokens):
        raise ValueError(f"{len(tokens)} tokens do not fit an array of shape {values.shape}")
    shown, step = thinned(values, MOST_CELLS)
    dims = np.arange(1, values.shape[1] + 1, step)
    title = _("dimension") if step == 1 else _("dimension (1 of {step} is shown)").format(step=step)
    most = float(np.abs(shown).max(initial=1e-9))
    figure = _with_lengths(values, tokens)
    figure.add_heatmap(
        z=shown,
        x=dims,
        zmin=-most,
        zmax=most,
        colorscale=[list(stop) for stop in theme.diverging],
        colorbar={"orientation": "h", "thickness": 12, "y": -0.22, "len": 0.72, "x": 0.36},
        hovertemplate=f"%{{y}}, {_('dimension')} %{{x}}: %{{z:.2f}}<extra></extra>",
        row=1,
        col=1,
    )
    figure.update_xaxes(title_text=title, side="top", row=1, col=1)
    return _finished(figure, tokens, theme)


def piece_heatmap(
    values: NDArray[np.floating],
    tokens: Sequence[str],
    pieces: Sequence[str],
    probabilities: bool,
    theme: Theme,
) -> go.Figure:
    """Draw the logits or the probabilities (n, pieces) of a few pieces, a row for each token.

    Raises ValueError when tokens and pieces do not fit the shape.
    """
    if values.shape != (len(tokens), len(pieces)):
        raise ValueError(
            f"values of shape {values.shape} do not fit {len(tokens)} tokens, {len(pieces)} pieces"
        )
    most = 1.0 if probabilities else float(np.abs(values).max(initial=1e-9))
    scale = theme.sequential if probabilities else theme.diverging
    form = ".1%" if probabilities else ".2f"
    figure = go.Figure(
        go.Heatmap(
            z=values,
            zmin=0 if probabilities else -most,
            zmax=most,
            xgap=1,
            ygap=1,
            colorscale=[list(stop) for stop in scale],
            colorbar={"thickness": 12, "tickformat": ".0%" if probabilities else None},
            customdata=named_cells(map(token_label, tokens), map(token_label, pieces)),
            hovertemplate=f"%{{customdata[0]}} → %{{customdata[1]}}: %{{z:{form}}}<extra></extra>",
        )
    )
    figure.update_xaxes(
        **token_ticks(pieces),
        tickangle=-60,
        side="top",
    )
    return _finished(figure, tokens, theme)


def _with_lengths(values: NDArray[np.floating], tokens: Sequence[str]) -> go.Figure:
    figure = subplots(1, 2, shared_yaxes=True, column_widths=[0.78, 0.22], horizontal_spacing=0.03)
    figure.add_bar(
        x=norms(values),
        y=list(range(len(tokens))),
        orientation="h",
        marker={"color": OUTPUT},
        showlegend=False,
        hovertemplate=f"{_('length')} %{{x:.2f}}<extra></extra>",
        row=1,
        col=2,
    )
    figure.update_xaxes(title_text=_("length"), side="top", rangemode="tozero", row=1, col=2)
    return figure


def _finished(figure: go.Figure, tokens: Sequence[str], theme: Theme) -> go.Figure:
    figure.update_yaxes(
        autorange="reversed",
        **token_ticks(tokens),
        tickfont={"size": 14 if len(tokens) <= 40 else 9},
    )
    return styled(figure, theme, min(_MOST, max(_LEAST, 150 + _CELL * len(tokens))))
