"""The board of all heads, coloured by their roles over the corpus: the surer, the stronger."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model.sites.sites import KINDS, Head, Kind
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.components.miniatures import Miniatures
from viz.figures.labels import head_text, kind_names
from viz.figures.theme import KIND_COLOURS
from viz.language.text import _

_MAIN = Path(__file__).parent / "assets" / "atlas_board.js"
_KINDS: dict[str, Kind] = {str(kind): kind for kind in KINDS}


@dataclass(frozen=True)
class Cell:
    """A head: the number of its role in the legend, its sureness from 0 to 1, and a text.

    `said` is shown under the pointer. A head that is `off` is struck through.
    """

    role: int
    sure: float
    said: str
    off: bool = False


@dataclass(frozen=True)
class Legend:
    """A role on the board: its name, its colour, and the rule that measures it.

    A `quiet` role only frames its heads, so that other roles stand out. An `absent` role has no
    head and is not listed.
    """

    name: str
    colour: str
    rule: str
    quiet: bool = False
    absent: bool = False


def atlas_board(
    cells: Mapping[Kind, Sequence[Sequence[Cell]]],
    legend: Sequence[Legend],
    pictures: Miniatures,
    chosen: Head,
    order: Mapping[Head, str],
    notes: Sequence[str],
    *,
    key: str,
    on_choice: Callable[[Head], None],
) -> None:
    """Draw the heads (layers, heads) of every kind, and mark the `chosen` head.

    The `order` lists heads of all kinds, each with its figure or ""; if it is empty, heads are
    placed by layer. `notes` say what the colour and its strength mean. `on_choice` is called with
    the pressed head.
    """

    def take() -> None:
        head = read(st.session_state[key].press, cells)
        if head is None:
            return refuse()
        on_choice(head)

    renderer("atlas_board", _MAIN)(
        key=key,
        data={
            "boards": [
                {
                    "kind": kind,
                    "title": kind_names()[kind],
                    "colour": KIND_COLOURS[kind],
                    "picture": pictures.get(kind),
                    "cells": [
                        [
                            {
                                "role": cell.role,
                                "sure": round(cell.sure, 3),
                                "name": head_text(kind, layer, head),
                                "said": (f"{_('off')} · " if cell.off else "") + cell.said,
                                "off": cell.off,
                            }
                            for head, cell in enumerate(row)
                        ]
                        for layer, row in enumerate(rows)
                    ],
                }
                for kind, rows in cells.items()
            ],
            "legend": [vars(entry) for entry in legend],
            "chosen": {"kind": chosen.kind, "layer": chosen.layer, "head": chosen.head},
            "order": [[head.kind, head.layer, head.head, value] for head, value in order.items()],
            "notes": list(notes),
            "words": {"only": _("Show these heads alone"), "layer": _("layer")},
        },
        on_press_change=take,
    )


def read(sent: object, cells: Mapping[Kind, Sequence[Sequence[Cell]]]) -> Head | None:
    """Read the browser's answer; None if there is no such head."""
    kind = _KINDS.get(str(sent.get("kind"))) if isinstance(sent, dict) else None
    if not isinstance(sent, dict) or kind is None or kind not in cells:
        return None
    layer, head = whole(sent.get("layer")), whole(sent.get("head"))
    if layer is None or head is None or layer >= len(cells[kind]) or head >= len(cells[kind][0]):
        return None
    return Head(kind, layer, head)
