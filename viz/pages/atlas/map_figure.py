"""Queries and keys of a head as points in one plane."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label
from viz.figures.theme import HEAD_COLOURS, KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _

Point = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Dot:
    """A query or key (2,): its token, what colours it, its position, and what is said of it.

    An `own` one is of the sentence above.
    """

    point: Point
    token: str
    group: str
    position: int
    is_key: bool
    own: bool
    said: str


def joint_figure(
    dots: Sequence[Dot],
    lines: Sequence[tuple[Point, Point, float]],
    shares: tuple[float, float],
    by_position: bool,
    theme: Theme,
) -> go.Figure:
    """Draw dots, queries round and keys square, and lines between some with their weight."""
    figure = go.Figure()
    for start, end, weight in lines:
        figure.add_scatter(
            x=[start[0], end[0]],
            y=[start[1], end[1]],
            mode="lines",
            line={"color": theme.text, "width": 0.5 + 3 * weight},
            opacity=0.15 + 0.5 * weight,
            hoverinfo="skip",
            showlegend=False,
        )
    if by_position:
        _add(figure, dots, theme, "", None)
    else:
        groups = list(dict.fromkeys(dot.group for dot in dots))
        for number, group in enumerate(groups):
            two = [QUERY, KEY]
            colours = two if len(groups) == 2 and groups[0] == _("query") else HEAD_COLOURS
            own = [dot for dot in dots if dot.group == group]
            _add(figure, own, theme, group, colours[number % len(colours)])
    first, second = (f"{share:.0%}" for share in shares)
    figure.update_xaxes(title=_("component 1 ({share} of the variance)").format(share=first))
    figure.update_yaxes(title=_("component 2 ({share})").format(share=second))
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 600)


def _add(
    figure: go.Figure, dots: Sequence[Dot], theme: Theme, group: str, colour: str | None
) -> None:
    """Add the dots of a group as two traces: those of the corpus, and above them the own ones."""
    for own in (False, True):
        some = [dot for dot in dots if dot.own is own]
        sizes = 13 if own else 6
        marker: dict[str, object] = {
            "size": sizes,
            "symbol": ["square" if dot.is_key else "circle" for dot in some],
            "line": {"width": 1.5 if own else 0, "color": theme.text},
        }
        if colour is None:
            marker |= {
                "color": [dot.position for dot in some],
                "colorscale": "Viridis",
                "cmin": 0,
                "cmax": 20,
                "colorbar": {"title": {"text": _("position")}, "thickness": 14},
                "showscale": not own,
            }
        else:
            marker["color"] = colour
        figure.add_scatter(
            x=[dot.point[0] for dot in some],
            y=[dot.point[1] for dot in some],
            mode="markers+text" if own else "markers",
            text=[token_label(dot.token) for dot in some],
            textposition="top center",
            textfont={"size": 14, "color": theme.text},
            customdata=[
                f"{_('key') if dot.is_key else _('query')} {dot.position + 1}: "
                f"{token_label(dot.said)}"
                for dot in some
            ],
            hovertemplate="<b>%{text}</b><br>%{customdata}<extra></extra>",
            opacity=1.0 if own else 0.45,
            marker=marker,
            name=group,
            legendgroup=group,
            showlegend=not own and bool(group),
        )
