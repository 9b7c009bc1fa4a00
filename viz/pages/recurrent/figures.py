"""Figures of recurrent models: vectors as strips, weights as bars, gates and cosines as maps."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_ticks
from viz.figures.subplots import subplots
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, key_axis, styled
from viz.language.text import _

Array = NDArray[np.floating]


def strips(vectors: Mapping[str, Array], theme: Theme) -> go.Figure:
    """Draw named vectors of one length as strips, on one scale from -1 to 1."""
    figure = go.Figure(
        go.Heatmap(
            z=np.stack(list(vectors.values()))[::-1],
            y=list(vectors)[::-1],
            zmin=-1,
            zmax=1,
            ygap=6,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"title": {"text": _("value")}, "thickness": 14},
            hovertemplate="%{y}, " + _("number") + " %{x}: %{z:.2f}<extra></extra>",
        )
    )
    figure.update_xaxes(title_text=_("dimension"), showgrid=False)
    figure.update_yaxes(showgrid=False)
    return styled(figure, theme, 90 + 34 * len(vectors))


def score_bars(named: Mapping[str, Array], keys: Sequence[str], theme: Theme) -> go.Figure:
    """Draw named weights (S,) over the source pieces, with a colour for each name."""
    figure = go.Figure()
    for (name, weights), colour in zip(named.items(), HEAD_COLOURS, strict=False):
        figure.add_bar(
            x=list(range(len(keys))),
            y=weights,
            name=name,
            marker_color=colour,
            hovertemplate=f"{name}: %{{y:.2f}}<extra></extra>",
        )
    _key_axis(figure, keys)
    figure.update_yaxes(title_text=_("weight"), range=[0, 1])
    figure.update_layout(showlegend=len(named) > 1, legend=LEGEND_ABOVE)
    return styled(figure, theme, 300)


def window_figure(
    align: Array, bell: Array, weights: Array, centre: float, keys: Sequence[str], theme: Theme
) -> go.Figure:
    """Draw a step of local attention (S,): the softmax, the bell around p_t and their product.

    `centre` is p_t, from 0.
    """
    figure = score_bars(
        {_("softmax"): align, _("weight: softmax times bell"): weights}, keys, theme
    )
    figure.add_scatter(
        x=list(range(len(keys))),
        y=np.where(
            bell > 0, bell, np.nan
        ),  # the bell ends at the window; it does not slope down to 0
        name=_("bell, 0 outside the window"),
        mode="lines+markers",
        line={"color": HEAD_COLOURS[2], "width": 2, "shape": "spline"},
        hovertemplate=_("bell") + ": %{y:.2f}<extra></extra>",
    )
    figure.update_yaxes(range=[0, 1.15])  # room for the name of the centre, above the bell
    figure.add_vline(
        x=centre,
        line={"color": theme.text, "dash": "dash", "width": 1},
        annotation={"text": f"p = {centre:.1f}", "font": {"color": theme.text}},
    )
    return figure.update_layout(showlegend=True)


def _key_axis(figure: go.Figure, keys: Sequence[str]) -> None:
    figure.update_xaxes(
        title_text=key_axis(),
        **token_ticks(keys),
    )


def gates_figure(gates: Mapping[str, Array], tokens: Sequence[str], theme: Theme) -> go.Figure:
    """Draw named gates (n, R) over the pieces; each gate's units are sorted by their mean.

    So the units that are nearly always open are together, and so are those nearly always closed.
    """
    figure = subplots(
        len(gates), 1, shared_xaxes=True, subplot_titles=list(gates), vertical_spacing=0.12
    )
    for row, (name, values) in enumerate(gates.items(), start=1):
        order = np.argsort(values.mean(axis=0))
        figure.add_heatmap(
            z=values[:, order].T,
            zmin=0,
            zmax=1,
            colorscale=[list(stop) for stop in theme.sequential],
            colorbar={"title": {"text": _("gate")}, "thickness": 14},
            showscale=row == 1,
            hovertemplate=name + ": %{z:.2f}<extra></extra>",
            row=row,
            col=1,
        )
    figure.update_yaxes(title_text=_("number, sorted"), showgrid=False)
    figure.update_xaxes(
        **token_ticks(tokens),
    )
    return styled(figure, theme, 80 + 230 * len(gates))


def alike_figure(cosines: Array, tokens: Sequence[str], theme: Theme) -> go.Figure:
    """Draw the cosines (n, n) of all states with each other, on a scale from -1 to 1."""
    figure = go.Figure(
        go.Heatmap(
            z=cosines,
            zmin=-1,
            zmax=1,
            xgap=1,
            ygap=1,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"title": {"text": _("cosine")}, "thickness": 14},
            hovertemplate="%{z:.2f}<extra></extra>",
        )
    )
    figure.update_xaxes(**token_ticks(tokens), side="top", tickangle=-45)
    figure.update_yaxes(**token_ticks(tokens), autorange="reversed")
    return styled(figure, theme, 160 + 26 * len(tokens))
