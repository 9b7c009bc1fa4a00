"""The colours and styles of figures and tokens, light and dark: one meaning, one colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

import plotly.graph_objects as go

from model.words import WORD_START, is_mute
from viz.language.text import _

QUERY, KEY, VALUE, OUTPUT = "#0072B2", "#D55E00", "#009E73", "#9467BD"
KIND_COLOURS = {"encoder": "#56B4E9", "decoder": "#E69F00", "cross": "#CC79A7"}
# Okabe and Ito's eight colours, with black replaced by a grey for light and dark.
HEAD_COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#B8A800",
    "#7F7F7F",
)

CHINESE = "PingFang SC, Microsoft YaHei, Noto Sans CJK SC"
"""The fonts for Chinese in operating systems."""

FONT = f"Source Sans, {CHINESE}, sans-serif"
"""Streamlit's font, for figures too, then the system's fonts for Chinese."""

Scale = tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Theme:
    """The colours that differ between light and dark."""

    name: Literal["light", "dark"]
    text: str
    background: str
    grid: str
    sequential: Scale
    diverging: Scale

    @property
    def moved(self) -> Scale:
        """Return the scale of changes, from 0: the upper half of the diverging scale."""
        return tuple((2 * at - 1, colour) for at, colour in self.diverging if at >= 0.5)


LIGHT = Theme(
    "light",
    text="#262730",
    background="#ffffff",
    grid="#e3e5ea",
    sequential=((0.0, "#ffffff"), (0.1, "#deebf7"), (0.4, "#6baed6"), (1.0, "#08306b")),
    diverging=((0.0, "#0072B2"), (0.5, "#ffffff"), (1.0, "#D55E00")),
)
DARK = Theme(
    "dark",
    text="#fafafa",
    background="#0e1117",
    grid="#30343d",
    sequential=((0.0, "#0e1117"), (0.1, "#12304d"), (0.4, "#2f7fbf"), (1.0, "#f2f8ff")),
    diverging=((0.0, "#56B4E9"), (0.5, "#0e1117"), (1.0, "#E69F00")),
)


def query_axis() -> str:
    """Return the name of the axis of the queries."""
    return _("query: who is looking")


def key_axis() -> str:
    """Return the name of the axis of the keys."""
    return _("key: who is looked at")


def token_text(token: str) -> str:
    """Write a piece for an axis or label: the leading space as a thin mark."""
    return token.replace(WORD_START, "·")


def bare(token: str) -> str:
    """Write a piece within a sentence, without the mark of its space; a space alone has a sign."""
    return token_text(token).strip("·") or "␣"


def named(token: str) -> str:
    """Write a piece within a sentence that has no quotes around it: a sign gets some."""
    text = bare(token)
    return text if any(map(str.isalnum, text)) else f"“{text}”"


def token_chips(tokens: Sequence[str], *, written: bool = False, model: str = "") -> str:
    """Draw tokens as a row of chips, in HTML; special tokens muted. Safe for any token.

    With `written`, they are the translation of the app's sentence without the begin token, made by
    `model` if one is named; then a chip offers a menu.
    """
    chips = "".join(_chip(token, at + 1 if written else None) for at, token in enumerate(tokens))
    by = f' data-model="{escape(model)}"' if model else ""
    return f'<div{by} style="display:flex;flex-wrap:wrap;gap:4px">{chips}</div>'


def _chip(token: str, position: int | None) -> str:
    text, style = escape(token_text(token)), _CHIP + ("opacity:.55;" if is_mute(token) else "")
    if position is None:
        return f'<span style="{style}">{text}</span>'
    offers = f'data-target-place="{position}" title="{text}" role="button" tabindex="0"'
    return f'<span {offers} style="{style}cursor:pointer;">{text}</span>'


_CHIP = (
    "border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:6px;"
    "padding:1px 7px;font-size:max(15px,var(--least,0px));line-height:1.5;white-space:pre;"
)


LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
"""Plotly's legend in a line above the picture."""


def signed_axis(theme: Theme, title: str) -> dict[str, object]:
    """Return plotly's colour axis for values from -1 to 1, on the diverging scale."""
    return {
        "colorscale": [list(stop) for stop in theme.diverging],
        "cmin": -1,
        "cmax": 1,
        "colorbar": {"title": {"text": title}, "thickness": 14},
    }


def styled(figure: go.Figure, theme: Theme, height: int) -> go.Figure:
    """Give a figure the project's fonts, colours, margins and a fixed height."""
    layout = figure.layout  # assigned, as plotly's update_* take three times as long
    layout.height = height
    layout.margin = {"l": 8, "r": 8, "t": 36, "b": 8}
    layout.font = {"size": 14, "color": theme.text, "family": FONT}
    layout.paper_bgcolor = layout.plot_bgcolor = "rgba(0,0,0,0)"
    layout.hoverlabel = {"font": {"size": 14}}
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        axis.gridcolor, axis.zeroline, axis.automargin = theme.grid, False, True
    return figure
