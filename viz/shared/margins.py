"""The room around a figure, estimated from what stands there, so that plotly draws it once.

Plotly measures labels only when it has drawn them; where its margins are too narrow it widens them
and draws all again, at every change of a figure. Where an estimate is short it still does.
All lengths are in pixels, and the constants are what plotly takes for fonts of our sizes.
"""

import re
from collections.abc import Iterable
from html import unescape
from itertools import islice
from math import cos, radians, sin
from typing import Any

from plotly.graph_objects import Figure

SIZE, TITLE_SIZE, LINE = 14, 17, 1.3
"""The fonts of labels and titles that name none, and the height of a line, in sizes."""

NUMBER = "-0.5"
"""A number as long as most of those that plotly chooses for an axis."""

NARROW, NORMAL, BROAD, CHINESE = 0.28, 0.53, 0.8, 1.0
"""Widths of letters, in sizes."""

_NARROW = frozenset(" ijlftrI.,:;'|!()[]-·/")
_BROAD = frozenset("mwMW%@→…")
_MARK = re.compile(r"<[^<>]*>")

PAD, TITLED_PAD, MARKS = 14, 10, 8
"""Beside labels, beside labels and a title, and the marks on the axes of a heatmap."""

LEGEND, BAR, LEVEL_BAR, TITLED_BAR, NEAR = 44, 56, 64, 44, 12
"""A legend, a bar beside its labels, a level one, one beside its title, what grows inwards."""

WIDTH = 960
"""Of most figures; a bar at the side stands the further away the wider its figure is."""

MOST = 270
"""More at both sides leaves too little of the picture on a phone; plotly decides then, as it does
where more than half of the height would go.
"""


Part = Any
"""A part of a figure, such as an axis: plotly declares no types for what these have."""


def make_room(figure: Figure) -> Figure:
    """Widen a figure's margins, never beyond need by much, and return it."""
    layout: Part = figure.layout
    margin, height = layout.margin, layout.height or 450
    left, top, bottom = _axes(figure)
    right = max((_beyond(size, 0.02, WIDTH) for size in _side_bars(figure)), default=0)
    for y, anchor, size in _level(figure):
        if y > 1:
            room = height - max(bottom, margin.b or 0)
            top = max(top, _beyond(size if anchor == "bottom" else NEAR, y - 1, room))
        elif y < 0:
            room = height - max(top, margin.t or 0)
            bottom = max(bottom, _beyond(size if anchor == "top" else NEAR, -y, room))
    aside = {"l": left, "r": right} if left + right <= MOST else {}
    over = {"t": top, "b": bottom} if top + bottom <= height / 2 else {}
    for name, room in {**aside, **over}.items():
        margin[name] = max(margin[name] or 0, round(room))
    return figure


def _beyond(size: float, away: float, length: float) -> float:
    """Return the margin for what stands `away` from the picture, as a part of the picture.

    The picture is what the margin leaves of a `length`.
    """
    return (size + away * length) / (1 + away)


def _axes(figure: Figure) -> tuple[float, float, float]:
    """Return what axes take at the left, at the top and at the bottom."""
    left, top, bottom = 0.0, 0.0, 0.0
    columns: Iterable[Part] = figure.select_yaxes()
    rows: Iterable[Part] = figure.select_xaxes()
    for axis in columns:
        across = figure.layout["xaxis" + (axis.anchor or "x")[1:]]
        if axis.automargin and _end(across, 0) <= 0:
            left = max(left, _width(_labels(axis, figure), _size(axis)) + _around(axis, figure))
    for axis in rows:
        across = figure.layout["yaxis" + (axis.anchor or "y")[1:]]
        if not axis.automargin:
            continue
        if axis.side == "top" and _end(across, 1) >= 1:
            top = max(top, _height(axis, figure))
        elif axis.side != "top" and _end(across, 0) <= 0:
            bottom = max(bottom, _height(axis, figure))
    return left, top, bottom


def _end(axis: Part, end: int) -> float:
    """Return where an axis begins (0) or ends (1), as a part of the picture."""
    return axis.domain[end] if axis.domain else end


def _size(axis: Part) -> float:
    return axis.tickfont.size or SIZE


def _height(axis: Part, figure: Figure) -> float:
    """Return the height of a horizontal axis, whose labels may slant."""
    labels, size, angle = _labels(axis, figure), _size(axis), abs(radians(axis.tickangle or 0))
    line = LINE * size * cos(angle) if labels else 0
    return line + _width(labels, size) * sin(angle) + _around(axis, figure)


def _around(axis: Part, figure: Figure) -> float:
    """Return what an axis takes beside its labels: pads, marks and its title."""
    drawn = [heatmap for heatmap in _heatmaps(figure) if _is_on(heatmap, axis)]
    title = axis.title.font.size or TITLE_SIZE if axis.title.text else 0
    return (TITLED_PAD + LINE * title if title else PAD) + MARKS * bool(drawn)


def _is_on(trace: Part, axis: Part) -> bool:
    name = axis.plotly_name.replace("axis", "")
    return (trace[f"{name[0]}axis"] or name[0]) == name


def _labels(axis: Part, figure: Figure) -> list[str]:
    """Return the labels of an axis; of numbers, one that plotly might choose."""
    if axis.showticklabels is False or axis.visible is False:
        return []
    if axis.ticktext is not None:
        return [str(text) for text in axis.ticktext]
    for trace in _traces(figure):
        values = trace[axis.plotly_name[0]] if _is_on(trace, axis) else None
        if values is not None and len(values) and isinstance(values[0], str):
            return [str(text) for text in islice(values, 300)]
    return [NUMBER]


def _width(labels: Iterable[str], size: float = SIZE) -> float:
    """Return the width of the longest line of labels."""
    lines = (unescape(_MARK.sub("", line)) for label in labels for line in label.split("<br>"))
    return size * max((sum(map(_letter, line)) for line in lines), default=0)


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return NARROW
    return CHINESE if letter > "\u2e80" else BROAD if letter in _BROAD else NORMAL


def _traces(figure: Figure) -> list[Part]:
    return list(figure.data)


def _heatmaps(figure: Figure) -> list[Part]:
    return [trace for trace in _traces(figure) if trace.type == "heatmap"]


def _bars(figure: Figure) -> list[Part]:
    """Return the colour bars of the heatmaps."""
    heatmaps = [one for one in _heatmaps(figure) if one.showscale is not False]
    places: list[Part] = [
        figure.layout[one.coloraxis] if one.coloraxis else one for one in heatmaps
    ]
    return [place.colorbar for place in places if place.showscale is not False]


def _side_bars(figure: Figure) -> list[float]:
    """Return the widths of the colour bars at the right, with labels or a title, if longer."""
    bars = [bar for bar in _bars(figure) if bar.orientation != "h" and (bar.x or 1) >= 1]
    titles = [_width([bar.title.text or ""]) for bar in bars]
    return [max(BAR + _width([NUMBER]), TITLED_BAR + title) for title in titles]


def _level(figure: Figure) -> list[tuple[float, str, float]]:
    """Return where the legend and the level colour bars stand: y, which end of them, height."""
    bars = [bar for bar in _bars(figure) if bar.orientation == "h" and bar.y is not None]
    found = [(float(bar.y), str(bar.yanchor), float(LEVEL_BAR)) for bar in bars]
    layout: Part = figure.layout
    legend = layout.legend
    if legend.orientation == "h" and legend.y is not None and layout.showlegend is not False:
        found.append((float(legend.y), str(legend.yanchor), LEGEND))
    return found
