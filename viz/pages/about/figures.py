"""Figures of a model's training and of its heads."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.ink import inked
from viz.figures.subplots import subplots
from viz.figures.theme import KEY, QUERY, Theme, styled
from viz.language.text import _


def training_curves(
    steps: Sequence[int],
    losses: Sequence[float],
    rates: Sequence[float],
    dev_steps: Sequence[int],
    dev_losses: Sequence[float],
    theme: Theme,
) -> go.Figure:
    """Draw the losses (nats a piece) and, below them, the learning rate by the steps of a run."""
    figure = subplots(2, 1, shared_xaxes=True, row_heights=[0.7, 0.3], vertical_spacing=0.06)
    train = _("training loss, with label smoothing")
    figure.add_scatter(
        x=steps, y=losses, name=train, line={"color": QUERY, "width": 1.5}, row=1, col=1
    )
    figure.add_scatter(
        x=dev_steps,
        y=dev_losses,
        name=_("dev loss, without smoothing"),
        mode="lines+markers",
        line={"color": KEY},
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=steps, y=rates, line={"color": theme.text, "width": 1.5}, showlegend=False, row=2, col=1
    )
    figure.update_yaxes(title_text=_("nats a piece"), row=1, col=1)
    figure.update_yaxes(title_text=_("learning rate"), rangemode="tozero", row=2, col=1)
    figure.update_xaxes(title_text=_("step"), row=2, col=1)
    figure.update_layout(legend={"x": 1, "xanchor": "right", "y": 1})
    return styled(figure, theme, 420)


def head_scores(scores: NDArray[np.float64], name: str, signed: bool, theme: Theme) -> go.Figure:
    """Draw a score of every head (layer, head), 0 to 1, or -1 to 1 if `signed`."""
    layers, heads = scores.shape
    layer, head = _("layer"), _("head")
    scale, lowest = (theme.diverging, -1) if signed else (theme.sequential, 0)
    figure = go.Figure(
        go.Heatmap(
            z=scores,
            x=[str(number + 1) for number in range(heads)],
            y=[str(number + 1) for number in range(layers)],
            zmin=lowest,
            zmax=1,
            xgap=2,
            ygap=2,
            text=inked([[f"{v:.2f}" for v in row] for row in scores], scores, scale, lowest, 1),
            texttemplate="%{text}",
            textfont={"size": 14},
            colorscale=[list(stop) for stop in scale],
            colorbar={"title": {"text": name}, "thickness": 14},
            hovertemplate=f"{layer} %{{y}}, {head} %{{x}}: %{{z:.2f}}<extra></extra>",
        )
    )
    figure.update_xaxes(title_text=head, type="category", side="top", showgrid=False)
    figure.update_yaxes(title_text=layer, type="category", autorange="reversed", showgrid=False)
    return styled(figure, theme, 110 + 44 * layers)
