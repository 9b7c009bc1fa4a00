"""Figures of a window: what it cuts off, and what each size saves and breaks."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.sites.sites import Stack
from viz.figures.attention import MOST, MOST_SLANT, attention_heatmap
from viz.figures.labels import Number, kind_names
from viz.figures.subplots import subplots
from viz.figures.theme import KEY, KIND_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _, capital

HEIGHT = 470

ROW, HEADING, LETTER, SCALE = 20, 64, 7.5, 166
"""Pixels: height of a row, of the titles, of a letter of a key, and of the scale on stage."""


def window_heatmap(
    weights: NDArray[np.float32], tokens: Sequence[str], size: int, title: str, theme: Theme
) -> go.Figure:
    """Draw weights (n, n) and the edges of a window over them, in half of a page's width.

    The keys are written upright and the scale is below, so that each column has room for its name.
    Raises ValueError when the tokens do not fit the shape.
    """
    figure = attention_heatmap(weights, tokens, tokens, title, theme)
    scale = {"orientation": "h", "thickness": 12, "y": -0.02, "yanchor": "top", "len": 0.6}
    scale |= {"title": {"side": "right"}, "tickformat": ".2f", "nticks": 4}
    figure.update_traces(zmax=float(weights.max()), colorbar=scale)
    for side in (-1, 1):
        x, y = _edge(len(tokens), size // 2, side)
        line = {"color": KEY, "width": 2.5}
        figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)
    end = len(tokens) - 0.5
    figure.update_xaxes(range=[-0.5, end], tickangle=-90)
    figure.update_yaxes(range=[end, -0.5], autorange=False)
    top = HEADING + min(LETTER * max(map(len, tokens), default=0), MOST_SLANT)
    height = min(MOST, top + ROW * len(tokens) + SCALE)
    return figure.update_layout(margin_t=top, height=max(HEIGHT, round(height)))


def _edge(pieces: int, reach: int, side: int) -> tuple[list[float], list[float]]:
    """Return x and y of the stairs that bound a window, `side` -1 or 1 of the diagonal."""
    x: list[float] = []
    y: list[float] = []
    for row in range(pieces):
        at = row + side * (reach + 0.5)
        if -0.5 < at < pieces - 0.5:
            x += [at, at]
            y += [row - 0.5, row + 0.5]
    return x, y


def sizes_figure(
    names: Sequence[str],
    log_probs: Mapping[Stack, NDArray[np.float64]],
    scored: Mapping[Stack, Sequence[int]],
    chosen: Mapping[Stack, int],
    theme: Theme,
) -> go.Figure:
    """Draw the log-probability (nats) and the pairs scored by size of the window, by stack.

    `names` are the sizes, and `chosen` the places among them of the sizes in force.
    """
    figure = subplots(2, 1, shared_xaxes=True, vertical_spacing=0.08)
    places = list(range(len(names)))
    for stack, values in log_probs.items():
        name, colour = capital(kind_names()[stack]), KIND_COLOURS[stack]
        for row, (shown, form) in enumerate(((values, ".2f"), (scored[stack], ",.0f")), start=1):
            sizes = [13 if place == chosen[stack] else 7 for place in places]
            figure.add_scatter(
                x=places,
                y=list(shown),
                name=name,
                showlegend=row == 1,
                mode="lines+markers",
                line={"color": colour, "width": 2.5},
                marker={"size": sizes},
                text=[f"{Number(value):{form}}" for value in shown],
                hovertemplate=f"{name}: %{{text}}<extra></extra>",
                row=row,
                col=1,
            )
    figure.update_yaxes(title_text=_("log-probability, nats"), row=1, col=1)
    figure.update_yaxes(title_text=_("pairs scored"), rangemode="tozero", row=2, col=1)
    figure.update_xaxes(tickvals=places, ticktext=list(names), showgrid=False)
    figure.update_xaxes(title_text=_("size of the window, r"), row=2, col=1)
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, HEIGHT)
