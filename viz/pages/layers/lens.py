"""The figure of the logit lens: the next piece if the decoder stopped after each layer."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.ink import inked
from viz.figures.labels import fine_percent, token_label
from viz.figures.theme import Theme, styled
from viz.language.text import _
from viz.pages.layers.stream import depth_names


def lens_figure(
    pieces: Sequence[Sequence[str]],
    probabilities: NDArray[np.floating],
    depth: int,
    theme: Theme,
) -> go.Figure:
    """Draw the most probable pieces (depth, top), coloured by probability; row `depth` is framed.

    Raises ValueError when pieces and probabilities do not fit.
    """
    if probabilities.shape != (len(pieces), len(pieces[0])):
        raise ValueError(f"{len(pieces)} rows of pieces do not fit {probabilities.shape}")
    figure = go.Figure(_cells(pieces, probabilities, theme))
    figure.add_shape(
        type="rect",
        xref="paper",
        x0=0,
        x1=1,
        y0=depth - 0.5,
        y1=depth + 0.5,
        line={"color": theme.text, "width": 3},
    )
    figure.update_xaxes(title_text=_("rank by probability"), type="category", showgrid=False)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return styled(figure, theme, 90 + 34 * len(pieces))


def _cells(
    pieces: Sequence[Sequence[str]], probabilities: NDArray[np.floating], theme: Theme
) -> go.Heatmap:
    labels = [[token_label(piece) for piece in row] for row in pieces]
    written = [
        [f"{label} {fine_percent(value)}" for label, value in zip(*row, strict=True)]
        for row in zip(labels, probabilities, strict=True)
    ]
    return go.Heatmap(
        z=probabilities,
        x=[str(rank + 1) for rank in range(probabilities.shape[1])],
        y=depth_names(len(pieces)),
        zmin=0,
        zmax=1,
        xgap=2,
        ygap=2,
        colorscale=[list(stop) for stop in theme.sequential],
        colorbar={"thickness": 12, "tickformat": ".0%"},
        customdata=labels,
        text=inked(written, probabilities, theme.sequential, 0, 1),
        texttemplate="%{text}",
        textfont={"size": 14},
        hovertemplate="%{y}: %{customdata} %{z:.2%}<extra></extra>",
    )
