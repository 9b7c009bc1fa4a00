"""The figure of BLEU and moved attention of a model made smaller, by its size."""

from collections.abc import Sequence

import plotly.graph_objects as go

from model.measures.smaller import Method, Smaller
from viz.figures.subplots import subplots
from viz.figures.theme import KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _

LOW = 10
"""The largest BLEU at which a label under its point would touch the axis."""


def smaller_figure(rows: Sequence[Smaller], theme: Theme) -> go.Figure:
    """Draw curves for fewer bits and for fewer weights, and a line at the whole model's BLEU."""
    figure = subplots(1, 2, horizontal_spacing=0.1)
    whole = next(row for row in rows if row.method == "whole")
    named: dict[Method, tuple[str, str]] = {
        "quantised": (_("fewer bits a weight"), QUERY),
        "pruned": (_("smallest weights gone"), KEY),
    }
    for method, (name, colour) in named.items():
        some = [row for row in rows if row.method == method]
        for column in (1, 2):
            figure.add_scatter(
                x=[row.size / 1e6 for row in some],
                y=[row.bleu if column == 1 else row.moved for row in some],
                text=[_label(row) for row in some],
                customdata=[amount(row) for row in some],
                name=name,
                mode="lines+markers+text",
                textposition=[_beside(row, column) for row in some],
                line={"color": colour, "width": 2.5},
                showlegend=column == 1,
                cliponaxis=False,
                hovertemplate=f"{name}, %{{customdata}}: %{{x:.1f}} MB, %{{y:.3g}}<extra></extra>",
                row=1,
                col=column,
            )
    figure.add_hline(
        y=whole.bleu,
        line={"color": theme.text, "width": 1.5, "dash": "dot"},
        row=1,
        col=1,
    )
    figure.update_xaxes(title_text=_("size, MB"), rangemode="tozero")
    figure.update_yaxes(title_text=_("BLEU"), rangemode="tozero", row=1, col=1)
    moved = _("share of attention that moved")
    figure.update_yaxes(title_text=moved, rangemode="tozero", tickformat=".0%", row=1, col=2)
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 430)


def _label(row: Smaller) -> str:
    """Write the amount beside a point; points of bits are close, so they get only the number."""
    return str(int(row.amount)) if row.method == "quantised" else amount(row)


def _beside(row: Smaller, column: int) -> str:
    """Return the side of a point on which its curve leaves room for a label."""
    if column == 2:
        return "top right"
    return "bottom right" if row.bleu > LOW else "top center"


def amount(row: Smaller) -> str:
    """Write how a model was made smaller: its bits, or the share of removed weights."""
    if row.method == "quantised":
        return _("{bits} bits").format(bits=int(row.amount))
    return f"{row.amount:.0%}" if row.method == "pruned" else ""
