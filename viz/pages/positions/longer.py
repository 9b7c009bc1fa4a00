"""The figure of texts and rows of letters longer than any in training, by kind of positions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz.figures.subplots import subplots
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _


@dataclass(frozen=True)
class Curves:
    """One twin's results on texts of `low` to `high` pieces, and on rows of letters.

    The loss is in nats a piece. `right` is the share of letters in place, `whole` the share of rows
    without a mistake.
    """

    low: Sequence[int]
    high: Sequence[int]
    loss: Sequence[float]
    bleu: Sequence[float]
    letters: Sequence[int]
    right: Sequence[float]
    whole: Sequence[float]


def longer_figure(
    twins: Mapping[str, Curves], longest_pair: int, longest_row: int, theme: Theme
) -> go.Figure:
    """Draw the loss and the share of letters copied by length; lengths beyond training are grey.

    `twins` are named by their positions; all were measured on the same texts and rows.
    """
    titles = [_("Loss by length"), _("Letters copied")]
    figure = subplots(1, 2, subplot_titles=titles, horizontal_spacing=0.16)
    for number, (name, curves) in enumerate(twins.items()):
        line = {"color": HEAD_COLOURS[number], "width": 3}
        figure.add_scatter(
            x=[(low + high) / 2 for low, high in zip(curves.low, curves.high, strict=True)],
            y=curves.loss,
            customdata=list(zip(curves.low, curves.high, curves.bleu, strict=True)),
            hovertemplate=_(
                "{name}, %{{customdata[0]}} to %{{customdata[1]}} pieces: loss %{{y:.2f}}, "
                "BLEU %{{customdata[2]:.1f}}"
            ).format(name=name)
            + "<extra></extra>",
            mode="lines+markers",
            name=name,
            legendgroup=name,
            line=line,
            row=1,
            col=1,
        )
        figure.add_scatter(
            x=curves.letters,
            y=curves.right,
            customdata=curves.whole,
            hovertemplate=_(
                "{name}, %{{x}} letters: %{{y:.1%}} at their place, %{{customdata:.0%}} of the "
                "rows whole"
            ).format(name=name)
            + "<extra></extra>",
            mode="lines+markers",
            name=name,
            legendgroup=name,
            showlegend=False,
            line=line,
            row=1,
            col=2,
        )
    some = next(iter(twins.values()))
    _shade(figure, longest_pair, some.high[-1], 1, theme)
    _shade(figure, longest_row, some.letters[-1], 2, theme)
    figure.update_xaxes(title=_("pieces of the longer side"), row=1, col=1)
    figure.update_yaxes(title=_("loss, nats a piece"), rangemode="tozero", row=1, col=1)
    figure.update_xaxes(title=_("letters"), row=1, col=2)
    figure.update_yaxes(title=_("letters at their place"), row=1, col=2)
    figure.update_yaxes(tickformat=".0%", range=[-0.03, 1.05], row=1, col=2)
    figure.update_layout(legend=LEGEND_ABOVE | {"y": 1.1})
    styled(figure, theme, 430)
    figure.update_layout(margin_t=80)
    return figure


def _shade(figure: go.Figure, seen: int, end: int, column: int, theme: Theme) -> None:
    figure.add_vrect(
        x0=seen + 0.5,
        x1=end,
        fillcolor=theme.text,
        opacity=0.08,
        line_width=0,
        row=1,
        col=column,
    )
