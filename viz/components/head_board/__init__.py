"""Boards of layers x heads, or of other parts, whose cells switch them off."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.sites.sites import KINDS, Kind
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.figures.labels import head_text
from viz.figures.theme import KIND_COLOURS, Theme
from viz.language.text import _

ENTRY = Path(__file__).parent / "assets" / "head_board.js"

_KINDS: dict[str, Kind] = {str(kind): kind for kind in KINDS}


@dataclass(frozen=True, eq=False)
class Board:
    """The board of one kind of attention, or of a stack.

    `off` (layers, heads) holds "" for a part that is on, and for any other part a sign of how it is
    off. `values` (layers, heads) frame the cells; None leaves them plain. `picture` has the
    miniatures of all cells; without a picture, the values fill the cells, and `bars` (layers,
    heads) lie at their foot. Values that fill the cells of `columns` are also written there, as
    whole numbers. `chosen`, a layer and a head, is outlined. `columns` gives a full and a short
    name to each column that is not a head.
    """

    kind: Kind
    title: str
    off: Sequence[Sequence[str]]
    values: NDArray[np.floating] | None = None
    chosen: tuple[int, int] | None = None
    columns: Sequence[tuple[str, str, str]] = ()
    picture: str | None = None
    bars: NDArray[np.floating] | None = None


@dataclass(frozen=True)
class Press:
    """A press on a cell, a whole layer (head None) or a whole board (layer None too), from 0."""

    kind: Kind
    layer: int | None
    head: int | None


@dataclass(frozen=True)
class Values:
    """What the values of all boards are: the `legend` names them.

    `ends` say what the lowest and the highest value mean. On the scale of colours, `signed` values
    have 0 in the middle, others begin at 0. For a class, `simple` words replace the legend and the
    figures.
    """

    legend: str
    ends: tuple[str, str] = ("", "")
    signed: bool = True
    simple: str = ""


def head_board(
    boards: Sequence[Board],
    key: str,
    on_press: Callable[[], None],
    theme: Theme,
    values: Values,
    rows: bool = True,
) -> None:
    """Draw boards side by side; `on_press` is called when `pressed(key)` has a press.

    All boards share one scale of colours, and one of bars. With `rows`, whole layers and boards can
    be pressed, and cells show what is off.
    """
    data = message(boards, theme, values, rows)
    renderer("head_board", ENTRY)(key=key, data=data, on_press_change=on_press)


def message(
    boards: Sequence[Board], theme: Theme, values: Values, rows: bool = True
) -> dict[str, object]:
    """Return the data of the component; see `head_board`."""
    sizes = [np.abs(board.values) for board in boards if board.values is not None]
    return {
        "boards": [_board(board) for board in boards],
        "longest": max(
            (float(board.bars.max()) for board in boards if board.bars is not None), default=1.0
        ),
        "most": max((float(np.nanmax(size)) for size in sizes), default=0.0),
        "scale": [list(stop) for stop in (theme.diverging if values.signed else theme.sequential)],
        "signed": values.signed,
        "rows": rows,
        "legend": values.legend,
        "ends": list(values.ends),
        "figures": not values.simple,
        "words": {
            "layer": _("layer"),
            "length": _("length"),
            "off": _("off"),
            "all": _("all"),
            "rows": _("layer ↓"),
            "columns": _("head →"),
            "largest": _largest(boards),
            "legend": (
                _("number and colour = {legend}:")
                if any(board.columns for board in boards)
                else _("frame = {legend}:")
            ).format(legend=values.simple or values.legend),
        },
    }


def _largest(boards: Sequence[Board]) -> str:
    """Say which head's frame shows the largest value; "" for boards of parts, or of zeros."""
    framed = [
        (float(np.nanmax(np.abs(board.values))), board)
        for board in boards
        if board.values is not None and not board.columns
    ]
    most, board = max(framed, key=lambda one: one[0], default=(0.0, None))
    if board is None or board.values is None or not most:
        return ""
    layer, head = np.unravel_index(np.nanargmax(np.abs(board.values)), board.values.shape)
    return _("largest: {head}").format(head=head_text(board.kind, int(layer), int(head)))


def _board(board: Board) -> dict[str, object]:
    return {
        "kind": board.kind,
        "title": board.title,
        "colour": KIND_COLOURS[board.kind],
        "off": [list(row) for row in board.off],
        "values": None if board.values is None else np.round(board.values, 6).tolist(),
        "bars": None if board.bars is None else np.round(board.bars, 3).tolist(),
        "picture": board.picture,
        "chosen": list(board.chosen) if board.chosen else None,
        "columns": [list(names) for names in board.columns] or None,
    }


def pressed(key: str) -> Press | None:
    """Return the last press that the browser sent; if it makes no sense, None with a notice."""
    sent = st.session_state[key].press
    if not isinstance(sent, dict) or str(sent.get("kind")) not in _KINDS:
        return refuse()
    numbers = [sent.get("layer"), sent.get("head")]
    layer, head = map(whole, numbers)
    if numbers != [layer, head]:
        return refuse()
    return Press(_KINDS[sent["kind"]], layer, head)
