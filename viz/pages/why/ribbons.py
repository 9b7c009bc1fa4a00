"""The picture of a score: ribbons from the query's parts to the key's parts, in HTML and SVG.

Its style is in `page.css`, which is loaded before the page.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import product

import numpy as np
from numpy.typing import NDArray

from viz.figures.theme import KEY, QUERY, Theme, bare, token_text
from viz.language.text import _
from viz.pages.why.figures import signed
from viz.pages.why.sums import Doubles, Match, Products
from viz.pages.why.words import NORMS, PROJECTION, REST, origin, part_name

_LEAST, _THIN = 11.0, 0.25
"""The least room of a part with its name, and the thinnest ribbon, in percent of the height."""
_FAINT = 0.1
"""Products below this are not drawn, unless they belong to the best match."""


@dataclass(frozen=True, eq=False)
class Link:
    """A link to draw: the table of its score, its tokens, who matches most, and what it is.

    `said` is the score in words. `query` is a piece that the query `writes`, or else reads.
    """

    table: Products
    query: str
    key: str
    match: Match
    said: str
    writes: bool = False


@dataclass(frozen=True, eq=False)
class _Side:
    """Where the parts of a side stand: `order` from top to bottom, and all else in percent."""

    order: NDArray[np.intp]
    tops: Doubles
    heights: Doubles
    middles: Doubles


def ribbons(link: Link, theme: Theme) -> str:
    """Draw each product as a ribbon between its parts, as wide as it is large."""
    table = link.table
    sizes = np.abs(table.values)
    left, right = sizes.sum(axis=1), sizes.sum(axis=0)
    scale = min(_scale(left), _scale(right))
    sides = _placed(table.query, left * scale), _placed(table.key, right * scale)
    up, down = theme.diverging[-1][1], theme.diverging[0][1]
    drawn, middle = _paths(link, sizes * scale, sides, (down, up))
    parts = (
        _head(link),
        _names(table.query, table.values.sum(axis=1), sides[0], "query", link.match.query),
        f'<div class="between"><img alt="{escape(_label(link))}" src="{_source(drawn)}">'
        f'<b style="top:{middle:.1f}%">{_met(link.match)}</b></div>',
        _names(table.key, table.values.sum(axis=0), sides[1], "key", link.match.key),
        f'<div class="sums">{_sums(link)}</div>',
    )
    colours = f"--up:{up};--down:{down};--most:{up if link.match.value >= 0 else down}"
    return f'<div class="ribbons" style="{colours}">{"".join(parts)}</div>'


def _scale(sizes: Doubles) -> float:
    """Find the percent per unit with which all parts, each at least a minimum, fill 100 %."""
    low, high = 0.0, 100 / max(float(sizes.sum()), 1e-9)
    for _halved in range(40):
        middle = (low + high) / 2
        if np.maximum(sizes * middle + 2, _LEAST).sum() > 100:
            high = middle
        else:
            low = middle
    return low


def _depth(name: str) -> tuple[int, int, int]:
    """Order parts as they were written, the last part on top; biases and the rest are below."""
    if name in (NORMS, PROJECTION, REST):
        return 1, (NORMS, PROJECTION, REST).index(name), 0
    layer, _dot, part = name.partition(".")[2].partition(".")
    if layer.isdecimal():
        return 0, -int(layer), -("self_attn", "cross_attn", "ffn").index(part.split(".")[0])
    return 0, 1, 0


def _placed(names: Sequence[str], heights: Doubles) -> _Side:
    order = np.array(sorted(range(len(names)), key=lambda at: _depth(names[at])))
    rooms = np.maximum(heights + 2, _LEAST)[order]
    spare = max(0.0, 100 - float(rooms.sum())) / len(names)
    ends = np.cumsum(rooms + spare)
    middles = np.empty(len(names))
    middles[order] = ends - (rooms + spare) / 2
    return _Side(order, middles - heights / 2, heights, middles)


def _paths(
    link: Link, widths: Doubles, sides: tuple[_Side, _Side], colours: tuple[str, str]
) -> tuple[str, float]:
    """Draw the ribbons, the best match above the pale ribbons; also return the middle of the match.

    `colours` are for products below and above zero.
    """
    table, (left, right) = link.table, sides
    starts, ends = left.tops.copy(), right.tops.copy()
    drawn: dict[bool, list[str]] = {False: [], True: []}
    middles: list[tuple[float, float]] = []
    for row, column in product(left.order, right.order):
        width, start, end = map(float, (widths[row, column], starts[row], ends[column]))
        starts[row] += width
        ends[column] += width
        origins = origin(table.query[row]), origin(table.key[column])
        most = origins == (link.match.query, link.match.key)
        if width < _THIN or (abs(table.values[row, column]) < _FAINT and not most):
            continue
        plus = bool(table.values[row, column] > 0)
        drawn[most].append(_path((start, end, width), colours[plus], plus, most))
        if most:
            middles.append(((start + end + width) / 2, width))
    total = sum(width for _middle, width in middles)
    centre = sum(middle * width for middle, width in middles) / total if total else 50.0
    return "".join(drawn[False] + drawn[True]), centre


def _path(band: tuple[float, float, float], colour: str, plus: bool, most: bool) -> str:
    """Draw a ribbon by its tops, left and right, and its width; below zero its edge is dashed."""
    start, end, width = band
    fill, edge = (0.9, 1) if most else (0.12, 0.25)
    dashes = "none" if plus else "4 3"
    return (
        f'<path d="M0,{start:.2f}C50,{start:.2f} 50,{end:.2f} 100,{end:.2f}v{width:.2f}'
        f'C50,{end + width:.2f} 50,{start + width:.2f} 0,{start + width:.2f}Z" '
        f'fill="{colour}" stroke="{colour}" fill-opacity="{fill}" '
        f'stroke-opacity="{edge}" vector-effect="non-scaling-stroke" '
        f'stroke-dasharray="{dashes}"/>'
    )


def _source(paths: str) -> str:
    """Return an SVG as a data address, as Streamlit's HTML allows no SVG."""
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" '
        f'preserveAspectRatio="none">{paths}</svg>'
    )
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"


def _head(link: Link) -> str:
    def chip(token: str, said: str, colour: str) -> str:
        text = escape(bare(token))
        return f'<div><b style="background:{colour}">{text}</b> {said}</div>'

    signs = f'<i class="plus"></i> {_("adds")} &nbsp; <i class="minus"></i> {_("takes away")}'
    return (
        chip(link.query, _("its step looks (query)") if link.writes else _("looks (query)"), QUERY)
        + f'<div class="whole"><span>{escape(link.said)}</span> <span>{signs}</span></div>'
        + chip(link.key, _("is seen (key)"), KEY)
    )


def _met(match: Match) -> str:
    """Say which layers match most, as marked at the sides, and what their matches sum to."""
    ends = [name.rpartition(".")[2] for name in (match.query, match.key)]
    value = signed(match.value)
    if not all(end.isdecimal() for end in ends):
        return value
    one, other = (int(end) + 1 for end in ends)
    return f"<i>{_('layer {one} × layer {other}').format(one=one, other=other)}</i> {value}"


def _sums(link: Link) -> str:
    total = f"<strong>{signed(float(link.table.values.sum()))}</strong>"
    return _("Each side adds up to {total}.").format(total=total)


def _names(names: Sequence[str], sums: Doubles, side: _Side, kind: str, most: str) -> str:
    """Write the parts of a side with their sums, and group the parts that `most` wrote."""
    own = [at for at, name in enumerate(names) if origin(name) == most]
    ends = [(side.middles[at] - _LEAST / 2, side.middles[at] + _LEAST / 2) for at in own]
    ends += [(side.tops[at], side.tops[at] + side.heights[at]) for at in own]
    group = ""
    if own:
        top, low = min(end[0] for end in ends), max(end[1] for end in ends)
        group = f'<u style="top:{top:.1f}%;height:{low - top:.1f}%"></u>'
    cells = [
        f'<span style="top:{side.middles[at]:.1f}%">{escape(part_name(name))} '
        f"<b>{signed(float(sums[at]))}</b></span>"
        f'<i style="top:{side.tops[at]:.1f}%;height:{side.heights[at]:.1f}%"></i>'
        for at, name in enumerate(names)
    ]
    return f'<div class="side {kind}">{group}{"".join(cells)}</div>'


def _label(link: Link) -> str:
    values = link.table.values
    return _("{count} products of parts of {query} and of {key}; they sum to {total}").format(
        count=values.size,
        query=f"“{token_text(link.query)}”",
        key=f"“{token_text(link.key)}”",
        total=signed(float(values.sum())),
    )
