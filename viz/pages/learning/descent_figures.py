"""Figures of some steps of descent: the loss, and the gradient and change of each block."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.theme import KEY, LEGEND_ABOVE, OUTPUT, QUERY, VALUE, Theme, styled
from viz.language.text import _

Array = NDArray[np.floating]
ZERO = 1e-27
"""The place of a gradient of exactly 0 on the logarithmic axis."""


def loss_figure(
    losses: Sequence[float], translations: Sequence[str], chosen: int, floor: float, theme: Theme
) -> go.Figure:
    """Draw the loss (nats) at each moment, the `chosen` moment filled, and the floor of smoothing.

    `translations` are the translations at all moments: when they change, the dots change colour.
    """
    number = np.cumsum([0, *(a != b for a, b in pairwise(translations))])
    colours = [(QUERY, KEY, VALUE, OUTPUT)[index % 4] for index in number]
    figure = go.Figure()
    figure.add_scatter(
        x=list(range(len(losses))),
        y=list(losses),
        mode="lines+markers",
        line={"color": theme.grid, "width": 2},
        marker={
            "color": [c if n == chosen else theme.background for n, c in enumerate(colours)],
            "size": 13,
            "line": {"color": colours, "width": 3},
        },
        hovertemplate=_("after step %{x}: loss %{y:.3f}") + "<extra></extra>",
        showlegend=False,
    )
    figure.add_hline(
        y=floor,
        line={"color": OUTPUT, "dash": "dot", "width": 2},
        annotation={"text": _("floor of smoothing"), "font": {"size": 14}},
        annotation_position="bottom left",
    )
    figure.update_xaxes(title=_("steps taken"), dtick=1 if len(losses) < 12 else 2)
    figure.update_yaxes(title=_("loss, nats a piece"), rangemode="tozero")
    return styled(figure, theme, 340)


def gradient_figure(blocks: Sequence[str], norms: Array, bare: Array, theme: Theme) -> go.Figure:
    """Draw the norm of each block's gradient, with residual connections and without (`bare`).

    The scale is logarithmic. Raises ValueError when the numbers do not fit the blocks.
    """
    if not len(blocks) == len(norms) == len(bare):
        raise ValueError(f"{len(blocks)} blocks, {len(norms)} and {len(bare)} norms")
    names = [block_name(block) for block in blocks]
    figure = go.Figure()
    lines = (
        (norms, _("with residual connections"), QUERY, "circle"),
        (bare, _("without them"), KEY, "diamond"),
    )
    for values, name, colour, symbol in lines:
        zero = values <= ZERO
        figure.add_scatter(
            x=list(range(len(names))),
            y=np.maximum(values, ZERO),
            customdata=[(n, f"{v:.1e}") for n, v in zip(names, values, strict=True)],
            mode="lines+markers",
            line={"color": colour, "width": 1.5},
            marker={
                "size": 9,
                "symbol": [f"{symbol}-open" if none else symbol for none in zero],
                "color": colour,
            },
            name=name,
            hovertemplate="%{customdata[0]}: %{customdata[1]}<extra>" + name + "</extra>",
        )
    figure.update_xaxes(tickvals=list(range(len(names))), ticktext=names, tickangle=-60)
    _powers_axis(figure, min(float(min(norms.min(), bare.min())), 1e-3))
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 460)


def update_figure(blocks: Sequence[str], shares: Array, theme: Theme) -> go.Figure:
    """Draw the length of each block's change in a step, as a share of its weights' length."""
    figure = go.Figure(
        go.Bar(
            x=[block_name(block) for block in blocks],
            y=shares,
            marker_color=VALUE,
            hovertemplate="%{x}: %{y:.3%}<extra></extra>",
        )
    )
    figure.update_xaxes(tickangle=-60, type="category")
    figure.update_yaxes(title=_("change / length of the weights"), tickformat=".2%")
    return styled(figure, theme, 340)


def block_name(block: str) -> str:
    """Return a block's name on screen: "decoder 1 cross" for decoder.0.cross_attn."""
    parts = block.split(".")
    if len(parts) == 1:
        return _("embedding")
    stack = {"encoder": _("encoder"), "decoder": _("decoder")}[parts[0]]
    sublayer = {"self_attn": _("self"), "cross_attn": _("cross"), "ffn": _("feed-forward")}
    return f"{stack} {int(parts[1]) + 1} {sublayer[parts[2]]}"


def _powers_axis(figure: go.Figure, least: float) -> None:
    """Label powers of ten with true minus signs, and `ZERO`, if needed, as 0."""
    bottom = -27 if least <= ZERO else int(np.floor(np.log10(least)))
    powers = [power for power in range(-24, 5, 3 if bottom < -9 else 1) if power >= bottom]
    values = [10.0**power for power in powers]
    labels = [f"10<sup>{power}</sup>".replace("-", "\u2212") for power in powers]
    if bottom == -27:
        values, labels = [ZERO, *values], ["0", *labels]
    figure.update_yaxes(
        title=_("norm of the gradient"),
        type="log",
        range=[bottom - 0.6, 3.2],
        tickvals=values,
        ticktext=labels,
        tickfont={"size": 16},
    )
