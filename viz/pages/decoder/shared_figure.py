"""The figure of the probabilities of a translation's pieces when heads share keys and values."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _


def shared_figure(likely: Mapping[str, NDArray], pieces: Sequence[str], theme: Theme) -> go.Figure:
    """Draw the probability (T,) of each piece, with a line for each named way to share."""
    figure = go.Figure()
    for (name, chances), colour in zip(likely.items(), HEAD_COLOURS, strict=False):
        figure.add_scatter(
            x=list(range(len(chances))),
            y=chances,
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            hovertemplate=f"{name}: %{{y:.1%}}<extra></extra>",
        )
    figure.update_xaxes(
        title_text=_("piece"),
        tickvals=list(range(len(pieces))),
        ticktext=[token_label(piece) for piece in pieces],
        tickangle=-60,
        showgrid=False,
    )
    figure.update_yaxes(title_text=_("probability"), tickformat=".0%", range=[-0.02, 1.04])
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 380)
