"""The figure of how many pieces a text takes with vocabularies of several sizes."""

from collections.abc import Sequence

import plotly.graph_objects as go

from viz.figures.theme import QUERY, Theme, styled
from viz.language.text import _


def sizes_figure(sizes: Sequence[int], counts: Sequence[int], theme: Theme) -> go.Figure:
    """Draw the numbers of pieces of a text (n,) by the sizes of vocabularies (n,)."""
    figure = go.Figure()
    figure.add_scatter(
        x=list(sizes),
        y=list(counts),
        mode="lines+markers",
        line={"color": QUERY, "width": 2.5},
        hovertemplate="%{x}: %{y}<extra></extra>",
    )
    figure.update_xaxes(title_text=_("pieces in the vocabulary"))
    figure.update_yaxes(title_text=_("pieces of the text"), rangemode="tozero")
    return styled(figure, theme, 260)
