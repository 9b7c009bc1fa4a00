"""The figure of heads that begin alike: their likeness and the loss, step by step."""

from collections.abc import Mapping

import plotly.graph_objects as go

from model.learning.equal_heads import Heads
from viz.figures.subplots import subplots
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _

HEIGHT = 420
DASHES = ("solid", "dash", "dot")


def alike_figure(named: Mapping[str, Heads], theme: Theme) -> go.Figure:
    """Draw the likeness of heads above and the loss below, a line for each named start."""
    titles = [_("how alike two heads are (cosine)"), _("loss, nats a piece")]
    figure = subplots(2, 1, shared_xaxes=True, vertical_spacing=0.16, subplot_titles=titles)
    for (name, heads), colour, dash in zip(named.items(), HEAD_COLOURS, DASHES, strict=False):
        for row, values in enumerate((heads.likeness, heads.losses), start=1):
            figure.add_scatter(
                x=list(range(len(values))),
                y=list(values),
                name=name,
                legendgroup=name,
                showlegend=row == 1,
                mode="lines",
                line={"color": colour, "width": 3, "dash": dash},
                hovertemplate=f"{name}, %{{x}}: %{{y:.3f}}<extra></extra>",
                row=row,
                col=1,
            )
    figure.update_xaxes(title_text=_("steps taken"), row=2, col=1)
    figure.update_yaxes(range=[-0.1, 1.1], row=1, col=1)
    figure.update_yaxes(rangemode="tozero", row=2, col=1)
    figure.update_layout(legend={**LEGEND_ABOVE, "y": 1.1})
    return styled(figure, theme, HEIGHT).update_layout(margin_t=70)
