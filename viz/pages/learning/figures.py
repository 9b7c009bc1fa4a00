"""Figures of one training example: a row's target, and the floor under a smoothed loss."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_ticks
from viz.figures.theme import KEY, LEGEND_ABOVE, OUTPUT, QUERY, VALUE, Theme, styled
from viz.language.text import _

Array = NDArray[np.floating]


def target_figure(
    tokens: Sequence[str], probabilities: Array, shares: Array, theme: Theme
) -> go.Figure:
    """Draw the model's probability (n,) of pieces, and their share (n,) of the target.

    The scale is logarithmic; a share of 0 is not drawn. Raises ValueError when the lengths differ.
    """
    if not len(tokens) == len(probabilities) == len(shares):
        raise ValueError(f"{len(tokens)} tokens, {len(probabilities)} and {len(shares)} numbers")
    rows = np.arange(len(tokens))
    figure = go.Figure()
    for row, (probability, share) in enumerate(zip(probabilities, shares, strict=True)):
        if share > 0:
            figure.add_shape(
                type="line", x0=probability, x1=share, y0=row, y1=row, line_color=theme.grid
            )
    _dots(figure, rows, probabilities, _("the model"), QUERY, "circle")
    some = shares > 0
    _dots(figure, rows[some], shares[some], _("the target"), KEY, "diamond-open")
    figure.update_xaxes(title=_("probability"), type="log", range=[-7.3, 0.15], dtick=1)
    figure.update_xaxes(
        tickvals=[10.0**n for n in range(-7, 1)], ticktext=_powers(), tickfont={"size": 16}
    )
    figure.update_yaxes(
        **token_ticks(tokens),
        range=[len(tokens) - 0.5, -0.5],
        tickfont={"size": 15},
    )
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 110 + 32 * len(tokens))


@dataclass(frozen=True)
class Mark:
    """A loss of the model's own training, in nats a piece, with the label smoothing `epsilon`."""

    epsilon: float
    loss: float
    name: str


def floor_figure(
    epsilons: Array,
    floors: Array,
    losses: Array,
    chosen: float,
    marks: Sequence[Mark],
    theme: Theme,
) -> go.Figure:
    """Draw this example's loss and its floor, in nats (n,), by the label smoothing (n,)."""
    figure = go.Figure()
    figure.add_scatter(
        x=epsilons,
        y=floors,
        name=_("floor: entropy of the target"),
        fill="tozeroy",
        line={"color": OUTPUT, "width": 2},
        hovertemplate="ε = %{x:.2f}: %{y:.3f}<extra></extra>",
    )
    figure.add_scatter(
        x=epsilons,
        y=losses,
        name=_("this example, this model"),
        line={"color": QUERY, "width": 2},
        hovertemplate="ε = %{x:.2f}: %{y:.3f}<extra></extra>",
    )
    for mark, (colour, symbol) in zip(marks, ((KEY, "diamond"), (VALUE, "square")), strict=False):
        figure.add_scatter(
            x=[mark.epsilon],
            y=[mark.loss],
            name=mark.name,
            mode="markers",
            marker={"color": colour, "size": 11, "symbol": symbol},
            hovertemplate="%{y:.3f}<extra>" + mark.name + "</extra>",
        )
    figure.add_vline(x=chosen, line={"color": theme.text, "dash": "dot", "width": 1})
    figure.update_xaxes(title=_("label smoothing ε"), range=[-0.008, float(epsilons[-1]) + 0.008])
    figure.update_yaxes(title=_("loss, nats a piece"), rangemode="tozero")
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 400)


def _dots(
    figure: go.Figure,
    rows: NDArray[np.integer],
    values: Array,
    name: str,
    colour: str,
    symbol: str,
) -> None:
    figure.add_scatter(
        x=values,
        y=rows,
        mode="markers",
        name=name,
        marker={
            "color": colour,
            "size": 11,
            "symbol": symbol,
            "line": {"width": 2, "color": colour},
        },
        hovertemplate="%{x:.2e}<extra>" + name + "</extra>",
    )


def _powers() -> list[str]:
    labels = [f"10<sup>\u2212{power}</sup>" for power in range(7, 0, -1)]
    return [*labels, "1"]
