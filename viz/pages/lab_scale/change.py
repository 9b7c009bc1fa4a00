"""One head's attention without and with a change, side by side."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import named_cells, token_label, token_ticks
from viz.figures.subplots import subplots
from viz.figures.theme import Theme, key_axis, query_axis, styled
from viz.language.text import _

Array = NDArray[np.floating]


def change_figure(
    weights: tuple[Array, Array],
    titles: tuple[str, str],
    queries: Sequence[str],
    keys: Sequence[str],
    theme: Theme,
    *,
    name: str = "",
    signed: bool = False,
) -> go.Figure:
    """Draw two arrays of weights (query, key) side by side, on one scale from 0 to 1.

    For `signed` values the scale is centred at 0; `name` names the values, by default weights.
    Raises ValueError when the tokens do not fit the shapes.
    """
    figure = subplots(1, 2, subplot_titles=list(titles), shared_yaxes=True, horizontal_spacing=0.04)
    name = name or _("weight")
    names = named_cells(map(token_label, queries), map(token_label, keys))
    for column, shown in enumerate(weights, start=1):
        if shown.shape != (len(queries), len(keys)):
            raise ValueError(
                f"weights of shape {shown.shape} do not fit {len(queries)} x {len(keys)} tokens"
            )
        figure.add_heatmap(
            z=shown,
            coloraxis="coloraxis",
            xgap=1,
            ygap=1,
            customdata=names,
            hovertemplate=f"{_('query')}: %{{customdata[0]}}<br>{_('key')}: %{{customdata[1]}}<br>"
            f"{name}: %{{z:.2f}}<extra></extra>",
            row=1,
            col=column,
        )
    _label(figure, queries, keys)
    most = max(float(np.abs(shown).max(initial=0)) for shown in weights) if signed else 1.0
    figure.layout.coloraxis = {
        "colorscale": [list(stop) for stop in (theme.diverging if signed else theme.sequential)],
        "cmin": -most if signed else 0,
        "cmax": most,
        "colorbar": {"title": {"text": name}, "thickness": 14},
    }
    return styled(figure, theme, min(1000, max(420, 190 + 24 * len(queries))))


def _label(figure: go.Figure, queries: Sequence[str], keys: Sequence[str]) -> None:
    size = {"size": 14 if max(len(queries), len(keys)) <= 40 else 9}
    for axis in figure.select_xaxes():
        axis.update(token_ticks(keys), title=key_axis(), tickangle=-45, tickfont=size)
    for axis in figure.select_yaxes():
        axis.update(token_ticks(queries), autorange="reversed", tickfont=size)
    next(figure.select_yaxes()).title = query_axis()
