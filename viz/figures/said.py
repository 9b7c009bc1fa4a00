"""What a plotly figure shows, in words: for readers who do not see it."""

import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from plotly.graph_objects import Figure

from viz.figures.labels import Number
from viz.language.text import _
from viz.language.wording import in_a_row

MOST_TRACES, MOST_BARS = 6, 12
_TAG = re.compile(r"<[^>]*>")
_Trace = Mapping[str, Any]


def said(figure: Figure) -> str:
    """Say what a figure's axes are, and its most notable numbers: the largest, or all bars."""
    sentences: list[str] = []
    traces: list[Any] = list(figure.data)
    for trace in traces[:MOST_TRACES]:
        sentence = _SAID.get(trace.type, _nothing)(figure, trace)
        if sentence and sentence not in sentences:
            sentences.append(sentence)
    left = len(traces) - MOST_TRACES
    if left > 0:
        sentences.append(_("And {count} more.").format(count=left))
    return in_a_row(sentences)


def _nothing(_figure: Figure, _trace: _Trace) -> str:
    return ""


def _colours(figure: Figure, trace: _Trace) -> str:
    """Say where the largest number of a table of colours is."""
    table, read = (_numbers(trace[name]) for name in ("z", "customdata"))
    if read.shape == table.shape:  # the numbers that the tooltip shows: z has only their colours
        table = np.where(np.isnan(table), np.nan, read)
    if table.ndim != 2 or not np.isfinite(table).any():
        return ""
    row, column = np.unravel_index(int(np.nanargmax(table)), table.shape)
    rows, columns = (
        _labels(figure, trace, "y", table.shape[0]),
        _labels(figure, trace, "x", table.shape[1]),
    )
    return _(
        "A table of colours, {rows} rows by {columns} columns{axes}: the largest is {most}, in row "
        "{row}, column {column}; the least is {least}."
    ).format(
        rows=table.shape[0],
        columns=table.shape[1],
        axes=_axes(figure, trace),
        most=_number(float(np.nanmax(table))),
        row=rows[int(row)],
        column=columns[int(column)],
        least=_number(float(np.nanmin(table))),
    )


def _bars(figure: Figure, trace: _Trace) -> str:
    """Say the names and lengths of the bars; of many bars, only those of the first."""
    along, across = ("y", "x") if trace["orientation"] == "h" else ("x", "y")
    lengths = _numbers(trace[across])
    if not lengths.size or lengths.ndim != 1:
        return ""
    names = _labels(figure, trace, along, lengths.size)
    named_bars = [
        f"{name} {_number(float(value))}" for name, value in zip(names, lengths, strict=True)
    ]
    more = _(", ") + "…" if len(named_bars) > MOST_BARS else ""
    return _("Bars{name}{axes}: {bars}.").format(
        name=_name(trace),
        axes=_axes(figure, trace),
        bars=_(", ").join(named_bars[:MOST_BARS]) + more,
    )


def _line(figure: Figure, trace: _Trace) -> str:
    """Say where a line begins and ends, and how high it rises."""
    heights = _numbers(trace["y"])
    heights = heights[np.isfinite(heights)] if heights.ndim == 1 else heights[:0]
    if heights.size < 2 or not _name(trace):
        return ""
    return _(
        "A line{name}{axes}: from {first} to {last}, at most {most}, at least {least}."
    ).format(
        name=_name(trace),
        axes=_axes(figure, trace),
        first=_number(float(heights[0])),
        last=_number(float(heights[-1])),
        most=_number(float(heights.max())),
        least=_number(float(heights.min())),
    )


_SAID = {"heatmap": _colours, "bar": _bars, "scatter": _line, "scattergl": _line}


def _numbers(values: object) -> NDArray[np.float64]:
    """Return the numbers of a trace; an empty array where it has none."""
    try:
        return np.asarray([] if values is None else values, dtype=np.float64)
    except (TypeError, ValueError):
        return np.zeros(0)


def _axis(figure: Figure, trace: _Trace, side: str) -> Mapping[str, Any]:
    number = str(trace[f"{side}axis"] or side)[1:]
    layout: Any = figure.layout
    return layout[f"{side}axis{number}"]


def _labels(figure: Figure, trace: _Trace, side: str, count: int) -> Sequence[str]:
    """Return the names of places along an axis, as written on the axis."""
    axis, held = _axis(figure, trace, side), trace[side]
    places = list(range(count)) if held is None else list(np.asarray(held).tolist())
    unnamed = 1 if held is None else 0  # the pages count from 1
    values, labels = axis["tickvals"], axis["ticktext"]
    written: dict[object, str] = {}
    if values is not None and labels is not None:
        written = dict(zip(list(values), list(labels), strict=False))  # plotly stops at the shorter
    named = (
        written.get(position, position + unnamed if isinstance(position, int) else position)
        for position in places
    )
    return [_plain(name) for name in named]


def _axes(figure: Figure, trace: _Trace) -> str:
    """Say the titles of the axes that have one."""
    titles = [_axis(figure, trace, side)["title"]["text"] for side in ("y", "x")]
    named = [_plain(title) for title in titles if title]
    return _(" ({axes})").format(axes=" / ".join(named)) if named else ""


def _name(trace: _Trace) -> str:
    return _(", ") + _plain(trace["name"]) if trace["name"] else ""


def _plain(text: object) -> str:
    """Return a label without the HTML that plotly draws: a new line is a space."""
    return unescape(_TAG.sub("", in_a_row(str(text).split("<br>"))))


def _number(value: float) -> str:
    return f"{Number(value):.3g}"
