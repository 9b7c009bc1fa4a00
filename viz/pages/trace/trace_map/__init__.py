"""Maps of carried vectors: tables of cells to press, with the answer's probabilities above."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.sites.sites import Kind
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.components.head_links import head_link_texts
from viz.figures.labels import head_text
from viz.figures.theme import Theme
from viz.language.text import _
from viz.link.offers import head_offers

ENTRY = Path(__file__).parent / "assets" / "trace_map.js"


@dataclass(frozen=True, eq=False)
class Map:
    """One table: `values` (rows, columns), NaN for grey cells, and the cells that are `on`.

    `corner` says what the columns are; each has a short and a full name. `lacking` says, for each
    row, why it is grey, or "".
    """

    name: str
    title: str
    rows: Sequence[str]
    corner: str
    columns: Sequence[tuple[str, str]]
    values: NDArray[np.floating]
    on: frozenset[tuple[int, int]]
    lacking: Sequence[str]


@dataclass(frozen=True)
class Shown:
    """The answer in one run, under its title: the probabilities of the two deciding words."""

    title: str
    likely: tuple[float, float]


@dataclass(frozen=True)
class Heads:
    """Tables whose cells are heads: the link that each kind is about, and the head to begin with.

    A link is a query and a key, 0-based, None if open. `first` has the kind, layer and head.
    """

    links: Mapping[Kind, tuple[int | None, int | None]]
    first: tuple[Kind, int, int]


@dataclass(frozen=True)
class Arrow:
    """An arrow between two cells (table name, row, column), and its words."""

    start: tuple[str, int, int]
    end: tuple[str, int, int]
    words: str = ""


@dataclass(frozen=True, eq=False)
class Maps:
    """Maps that are drawn side by side, and what their colours mean: `ends` say it of 0 and 1.

    `answers` are the two deciding words, and their probabilities in some runs. With `heads`, the
    links of the last pressed head stand below. `arrows` lie over the cells; an arrow to another
    table ends at its row. Two or more rows in which all values are near `rest` are folded into one.
    """

    maps: Sequence[Map] = ()
    ends: tuple[str, str] = ("", "")
    answers: tuple[tuple[str, str], Sequence[Shown]] = (("", ""), ())
    heads: Heads | None = None
    arrows: Sequence[Arrow] = ()
    rest: int = 0


@dataclass(frozen=True)
class Press:
    """A press on a cell of a table, by the table's name."""

    name: str
    row: int
    column: int


def trace_map(
    maps: Maps, key: str, theme: Theme, on_press: Callable[[], None] | None = None
) -> None:
    """Draw maps; `on_press` is called when `pressed(key)` has a press.

    Without `on_press` the cells cannot be pressed.
    """
    data = map_data(maps, theme, pressable=on_press is not None)
    renderer("trace_map", ENTRY)(key=key, data=data, on_press_change=on_press or (lambda: None))


def map_data(maps: Maps, theme: Theme, pressable: bool = True) -> dict[str, object]:
    """Return what the browser draws of maps; see `trace_map`."""
    words, shown = maps.answers
    resting = _("{count} rows, all about 1") if maps.rest else _("{count} rows, all below 0.05")
    return {
        "maps": [_map(one) for one in maps.maps],
        "rivals": list(words),
        "answers": [{"title": one.title, "likely": list(one.likely)} for one in shown],
        "scale": [list(stop) for stop in theme.diverging],
        "ends": list(maps.ends),
        "measure": _("Log-odds of the answer:"),
        "pressable": pressable,
        "inForce": _("in force"),
        "grey": _("no partner in the other sentence"),
        "quiet": resting,
        "rest": maps.rest,
        "arrows": [{"from": one.start, "to": one.end, "words": one.words} for one in maps.arrows],
        "heads": json.dumps(_heads(maps.heads, maps.maps), ensure_ascii=False)
        if maps.heads
        else "",
    }


def _map(one: Map) -> dict[str, object]:
    values = np.round(one.values, 4)
    return {
        "name": one.name,
        "title": one.title,
        "rows": list(one.rows),
        "corner": one.corner,
        "columns": [list(names) for names in one.columns],
        "values": [[None if np.isnan(v) else float(v) for v in row] for row in values],
        "on": [list(cell) for cell in sorted(one.on)],
        "lacking": list(one.lacking),
    }


def _heads(heads: Heads, maps: Sequence[Map]) -> dict[str, object]:
    names = {
        kind: [
            [head_text(kind, layer, head) for head in range(one.values.shape[1])]
            for layer in range(one.values.shape[0])
        ]
        for kind in heads.links
        for one in maps
        if one.name == kind
    }
    return {
        "offers": head_offers(),
        "texts": head_link_texts(),
        "names": names,
        "links": heads.links,
        "first": heads.first,
    }


def pressed(key: str, maps: Sequence[Map]) -> Press | None:
    """Return the last press that the browser sent; None, and a notice, if there is no such cell."""
    sent = st.session_state[key].press
    if not isinstance(sent, dict):
        return refuse()
    row, column = whole(sent.get("row")), whole(sent.get("column"))
    pressed_map = next((one for one in maps if one.name == sent.get("name")), None)
    if pressed_map is None or row is None or column is None:
        return refuse()
    height, width = pressed_map.values.shape
    if row >= height or column >= width or np.isnan(pressed_map.values[row, column]):
        return refuse()
    return Press(pressed_map.name, row, column)
