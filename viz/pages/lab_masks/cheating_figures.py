"""Figures of the model trained without the look-ahead mask: its loss, and where it looks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.attention import CELL, MOST_SLANT, query_key_heatmap
from viz.figures.theme import KEY, QUERY, Theme, styled
from viz.language.text import _
from viz.pages.lab_masks.window_figures import LETTER

NAMED = 50
"""Pixels above the keys, for only the axis name: the board beside the figure names the head."""

HEIGHT, TALLEST = 280, 440
"""Pixels of the curves, and of the largest heatmap."""


@dataclass(frozen=True)
class Curve:
    """The losses of a run, in nats a piece, by step: in training, and on other sentences."""

    steps: Sequence[int]
    loss: Sequence[float]
    dev_steps: Sequence[int]
    dev_loss: Sequence[float]


def loss_curves(twin: Curve, cheat: Curve, theme: Theme) -> go.Figure:
    """Draw the losses of both runs by step: lines in training, dots on other sentences."""
    figure = go.Figure()
    named = {_("with the mask"): (twin, QUERY), _("without it"): (cheat, KEY)}
    for name, (run, colour) in named.items():
        line = {"color": colour, "width": 2}
        figure.add_scatter(x=run.steps, y=run.loss, name=name, mode="lines", line=line)
        figure.add_scatter(
            x=run.dev_steps,
            y=run.dev_loss,
            name=_("{run}: on other sentences").format(run=name),
            mode="markers",
            marker={"color": colour, "size": 9},
            showlegend=False,
        )
    figure.update_yaxes(title_text=_("loss, nats a piece"), rangemode="tozero")
    figure.update_xaxes(title_text=_("step"))
    figure.update_layout(legend={"x": 1, "xanchor": "right", "y": 1})
    return styled(figure, theme, HEIGHT)


def ahead_heatmap(
    weights: NDArray[np.float32],
    writes: Sequence[str],
    keys: Sequence[str],
    theme: Theme,
) -> go.Figure:
    """Draw a head's weights (query, key), and a frame around the piece that each row must write.

    `writes` names the rows by these pieces. Row t must predict key t + 1; the last row, which ends
    the sentence, has no such key. Raises ValueError when the tokens do not fit the shape.
    """
    figure = query_key_heatmap(weights, writes, keys, _("weight"), theme.sequential, ".2f")
    figure.update_traces(zmin=0, zmax=1, colorbar={"tickformat": ".1f"})
    top = NAMED + min(LETTER * max(map(len, keys)), MOST_SLANT)
    styled(figure, theme, round(min(TALLEST, top + 60 + CELL * len(writes))))
    figure.update_layout(margin_t=top)
    figure.update_yaxes(tickfont_size=12)
    # Upright, the keys have room on a phone, too.
    figure.update_xaxes(tickfont_size=12, tickangle=-90, automargin=False)
    for row in range(len(keys) - 1):
        figure.add_shape(
            type="rect",
            x0=row + 0.5,
            x1=row + 1.5,
            y0=row - 0.5,
            y1=row + 0.5,
            line={"color": KEY, "width": 2},
        )
    return figure
