"""The margins of a figure, estimated from its texts, so that plotly draws it once.

Plotly measures labels only after drawing them. Where its margins are too narrow, it widens them and
draws everything again, at every change of a figure. It still does this where an estimate is too
small. All lengths are in pixels, and the constants are plotly's values for fonts of our sizes.
"""

import re
from collections.abc import Iterable
from html import unescape
from itertools import islice
from math import cos, radians, sin
from typing import Any

from plotly.graph_objects import Figure

SIZE, TITLE_SIZE, LINE = 14, 17, 1.3
"""The default fonts of labels and titles, and the height of a line, in sizes."""

NUMBER, PER_CENT = "-0.5", "100%"
"""Numbers as long as most that plotly writes on an axis."""

NARROW, NORMAL, BROAD, CHINESE = 0.28, 0.53, 0.8, 1.0
"""Widths of letters, in sizes."""

_NARROW = frozenset(" ijlftrI.,:;'|!()[]-·/")
_BROAD = frozenset("mwMW%@→…")
_MARK = re.compile(r"<[^<>]*>")

PAD, TITLED_PAD, MARKS = 14, 10, 8
"""Space beside labels, beside labels and a title, and of the marks on a heatmap's axes."""

LEGEND, BAR, LEVEL_BAR, TITLED_BAR, NEAR = 44, 56, 64, 44, 12
"""Sizes of a legend, a bar beside its labels, a horizontal bar, a bar by its title, its growth."""

WIDTH = 960
"""The width of most figures; a bar at the side is further away in a wider figure."""

MOST = 270
"""The largest margin: more at both sides would leave too little of the picture on a phone.

Beyond this, and where more than half of the height would go, plotly decides.
"""

STAGE_MOST, STAGE_SHARE = 540, 0.8
"""The same limits on stage, where there is no phone: pixels at both sides, share of the height."""


Part = dict[str, Any]
"""A part of a figure, such as an axis, as plain data: plotly takes 50 µs to read one number."""


def height_of(figure: Figure) -> int:
    """Return the height of a figure in pixels, by default plotly's own."""
    layout: Any = figure.layout
    return int(layout.height or 450)


def make_room(figure: Figure, stage: bool = False) -> Figure:
    """Widen a figure's margins to fit its texts, and return the figure."""
    most, part = (STAGE_MOST, STAGE_SHARE) if stage else (MOST, 0.5)
    layout: Part = figure.layout.to_plotly_json()
    margin, height = layout.get("margin", {}), height_of(figure)
    traces = list(map(_plain, figure.data))
    letters = layout.get("font", {}).get("size") or SIZE
    left, top, bottom = _axes(layout, traces, letters)
    bars = _side_bars(layout, traces, letters)
    right = max((_beyond(size, 0.02, WIDTH) for size in bars), default=0)
    for y, anchor, size in _level(layout, traces, letters):
        if y > 1:
            room = height - max(bottom, margin.get("b") or 0)
            top = max(top, _beyond(size if anchor == "bottom" else NEAR, y - 1, room))
        elif y < 0:
            room = height - max(top, margin.get("t") or 0)
            bottom = max(bottom, _beyond(size if anchor == "top" else NEAR, -y, room))
    aside = {"l": left, "r": right} if left + right <= most else {}
    over = {"t": top, "b": bottom} if top + bottom <= part * height else {}
    rooms = {name: max(margin.get(name) or 0, round(room)) for name, room in (aside | over).items()}
    figure.layout.margin = margin | rooms
    return figure


def _beyond(size: float, away: float, length: float) -> float:
    """Return the margin for a text `away` from the picture, as a share of the picture's size.

    The picture is what the margin leaves of a `length`.
    """
    return (size + away * length) / (1 + away)


def _axes(layout: Part, traces: list[Part], letters: float) -> tuple[float, float, float]:
    """Return the pixels that axes take at the left, at the top and at the bottom."""
    left, top, bottom = 0.0, 0.0, 0.0
    for name, axis in layout.items():
        if name[1:5] != "axis" or not axis.get("automargin"):
            continue
        crossed = "y" if name[0] == "x" else "x"
        across = layout.get(f"{crossed}axis{(axis.get('anchor') or crossed)[1:]}", {})
        begin, end = across.get("domain") or (0, 1)
        on_axis = _on(name, traces)
        labels, size = (
            _labels(name[0], axis, on_axis),
            axis.get("tickfont", {}).get("size") or letters,
        )
        around = _around(axis, on_axis, letters)
        if name[0] == "y" and begin <= 0:
            left = max(left, _width(labels, size) + around)
        elif name[0] == "x" and axis.get("side") == "top" and end >= 1:
            top = max(top, _height(axis, labels, size) + around)
        elif name[0] == "x" and axis.get("side") != "top" and begin <= 0:
            bottom = max(bottom, _height(axis, labels, size) + around)
    return left, top, bottom


def _on(axis: str, traces: list[Part]) -> list[Part]:
    """Return the traces on an axis, which they call x2 for xaxis2."""
    name = axis.replace("axis", "")
    return [trace for trace in traces if (trace.get(f"{name[0]}axis") or name[0]) == name]


def _height(axis: Part, labels: list[str], size: float) -> float:
    """Return the height of the labels of a horizontal axis, which may slant."""
    angle = abs(radians(axis.get("tickangle") or 0))
    return LINE * size * cos(angle) * bool(labels) + _width(labels, size) * sin(angle)


def _around(axis: Part, on_axis: list[Part], letters: float) -> float:
    """Return the pixels that an axis takes beside its labels: pads, marks and its title."""
    title = axis.get("title", {})
    named = title.get("font", {}).get("size") or TITLE_SIZE if title.get("text") else 0
    marked = any(trace["type"] == "heatmap" for trace in on_axis)
    beside = TITLED_PAD * letters / SIZE + LINE * named if named else PAD
    return beside + MARKS * marked


def _labels(letter: str, axis: Part, on_axis: list[Part]) -> list[str]:
    """Return the labels of an axis; for numbers, a label that plotly might choose."""
    if axis.get("showticklabels") is False or axis.get("visible") is False:
        return []
    if axis.get("ticktext") is not None:
        return [str(label) for label in axis["ticktext"]]
    for trace in on_axis:
        values = trace.get(letter)
        if values is not None and len(values) and isinstance(values[0], str):
            return [str(label) for label in islice(values, 300)]
    return [PER_CENT if "%" in (axis.get("tickformat") or "") else NUMBER]


def _width(labels: Iterable[str], size: float = SIZE) -> float:
    """Return the width of the longest line of labels."""
    lines = (unescape(_MARK.sub("", line)) for label in labels for line in label.split("<br>"))
    return size * max((sum(map(_letter, line)) for line in lines), default=0)


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return NARROW
    return CHINESE if letter > "\u2e80" else BROAD if letter in _BROAD else NORMAL


def _plain(trace: Any) -> Part:  # noqa: ANN401
    """Return the parts of a trace that take space."""
    names = ("type", "x", "y", "xaxis", "yaxis", "showscale", "coloraxis", "colorbar")
    return {name: trace[name] for name in names if name in trace}


def _bars(layout: Part, traces: list[Part]) -> list[Part]:
    """Return the colour bars of the heatmaps."""
    bars: list[Part] = []
    for trace in traces:
        if trace["type"] != "heatmap" or trace.get("showscale") is False:
            continue
        shared = layout.get(trace["coloraxis"], {}) if trace["coloraxis"] else None
        if shared is None:
            bars.append(trace["colorbar"].to_plotly_json())
        elif shared.get("showscale") is not False:
            bars.append(shared.get("colorbar", {}))
    return bars


def _side_bars(layout: Part, traces: list[Part], letters: float) -> list[float]:
    """Return the widths of the colour bars at the right, with their labels or longer titles."""
    bars = [bar for bar in _bars(layout, traces) if bar.get("orientation") != "h"]
    aside = [bar for bar in bars if (bar.get("x") or 1) >= 1]
    titles = [_width([bar.get("title", {}).get("text") or ""], letters) for bar in aside]
    return [max(BAR + _width([NUMBER], letters), TITLED_BAR + title) for title in titles]


def _level(layout: Part, traces: list[Part], letters: float) -> list[tuple[float, str, float]]:
    """Return the places of the legend and of horizontal colour bars: y, the anchor, the height."""
    level = [bar for bar in _bars(layout, traces) if bar.get("orientation") == "h"]
    placed = [(bar, LEVEL_BAR) for bar in level]
    if layout.get("showlegend") is not False and layout.get("legend", {}).get("orientation") == "h":
        placed.append((layout["legend"], LEGEND))
    return [
        (float(part["y"]), str(part.get("yanchor")), size * letters / SIZE)
        for part, size in placed
        if part.get("y") is not None
    ]
