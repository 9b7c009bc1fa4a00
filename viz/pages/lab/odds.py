"""The figure of two pieces' probabilities in the two sentences of a minimal pair."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label
from viz.figures.theme import Theme, styled
from viz.language.text import _


def odds_chart(
    sentences: Sequence[str],
    pieces: Sequence[str],
    likely: NDArray[np.float64],
    theme: Theme,
) -> go.Figure:
    """Draw the probability (sentence, piece) of two pieces in two sentences as bars.

    Raises ValueError when names and numbers do not fit.
    """
    if likely.shape != (len(sentences), len(pieces)):
        raise ValueError(f"{likely.shape} numbers, {len(sentences)} x {len(pieces)} names")
    figure = go.Figure()
    places = list(range(len(sentences)))
    colours = theme.diverging[0][1], theme.diverging[-1][1]
    for place, (piece, colour) in enumerate(zip(pieces, colours, strict=True)):
        figure.add_bar(
            y=places,
            x=likely[:, place],
            orientation="h",
            name=token_label(piece),
            marker={"color": colour},
            text=[f"{token_label(piece)} {value:.1%}" for value in likely[:, place]],
            textposition="outside",
            textfont={"size": 15},
            cliponaxis=False,
            hovertemplate=f"{token_label(piece)}: %{{x:.2%}}<extra></extra>",
        )
    figure.update_xaxes(range=[0, 1.3], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_xaxes(title={"text": _("probability"), "font": {"size": 15}})
    figure.update_yaxes(tickmode="array", tickvals=places, autorange="reversed")
    figure.update_yaxes(ticktext=[token_label(name) for name in sentences], tickfont={"size": 15})
    figure.update_layout(barmode="group", showlegend=False, bargap=0.3)
    return styled(figure, theme, 230)
