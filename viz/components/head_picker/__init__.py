"""The choice of a head: a board of miniatures, layers x heads, for each kind of attention."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.sites.sites import KINDS, Head, Kind
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.components.miniatures import Miniatures
from viz.figures.labels import head_text, kind_names
from viz.figures.theme import KIND_COLOURS, Scale
from viz.language.text import _

KEY = "head picker"
ENTRY = Path(__file__).parent / "assets" / "head_picker.js"
_KINDS: dict[str, Kind] = {str(kind): kind for kind in KINDS}


@dataclass(frozen=True, eq=False)
class Shares:
    """A number of at least 0 for each head, (L, H) of each kind; `legend` names the numbers."""

    legend: str
    of: Mapping[Kind, NDArray[np.floating]]
    scale: Scale

    def told(self) -> dict[str, object]:
        """Return the legend, the scale of colours and the largest number, for the browser."""
        most = max(float(np.nanmax(shares, initial=0)) for shares in self.of.values())
        return {"legend": self.legend, "scale": list(self.scale), "most": most}


@dataclass(frozen=True, eq=False)
class Boards:
    """What is drawn of a board for each kind of attention in `layers`, with the chosen head marked.

    The cells have `pictures`, and frames by their `shares`. `folded` boards show a single line, the
    heads of the chosen layer, until they are opened. With `mean`, the mean of all heads can also be
    chosen: its layer and head are None. `label` says whose heads they are. Heads that are `off` are
    struck through and have a sign.
    """

    layers: Mapping[Kind, int]
    heads: int
    chosen: tuple[Kind, int | None, int | None]
    shares: Shares | None = None
    mean: bool = False
    pictures: Miniatures | None = None
    folded: bool = False
    label: str = ""
    off: Mapping[Head, str] | None = None

    def data(self) -> dict[str, object]:
        """Return what the browser draws."""
        kind, layer, head = self.chosen
        mean_name = _("mean of all heads")
        return {
            "boards": [self._board(of, count) for of, count in self.layers.items()],
            "folded": self.folded,
            "shares": self.shares.told() if self.shares else None,
            "heads": self.heads,
            "chosen": {"kind": kind, "layer": layer, "head": head},
            "name": mean_name if layer is None or head is None else head_text(kind, layer, head),
            "words": {
                "label": self.label or _("Head"),
                "place": _("layer {layer}, head {head}"),
                "means": {"all": mean_name} if self.mean else None,
                "open": _("All heads"),
                "line": _("The heads of layer {layer}"),
                "off": _("off"),
            },
        }

    def _board(self, kind: Kind, layers: int) -> dict[str, object]:
        rows, heads, off = range(layers), range(self.heads), self.off or {}
        shares = self.shares.of.get(kind) if self.shares else None
        return {
            "picture": (self.pictures or {}).get(kind),
            "shares": None if shares is None else np.round(shares, 6).tolist(),
            "kind": kind,
            "title": kind_names()[kind],
            "layers": layers,
            "colour": KIND_COLOURS[kind],
            "off": [[off.get(Head(kind, row, head), "") for head in heads] for row in rows],
            "names": [[head_text(kind, row, head) for head in heads] for row in rows],
        }


def head_picker(
    boards: Boards,
    on_choice: Callable[[Kind, int | None, int | None], None],
    key: str = KEY,
) -> None:
    """Draw boards of heads to choose from.

    `on_choice` is called with the kind, layer and head of a press, from 0; layer and head are None
    when only the name of a kind is pressed. `key` tells the pickers of a page apart.
    """

    def take() -> None:
        press = read(st.session_state[key].press, boards.layers, boards.heads)
        if press is None:
            return refuse()
        on_choice(*press)

    renderer("head_picker", ENTRY)(key=key, data=boards.data(), on_press_change=take)


def read(
    sent: object, layers: Mapping[Kind, int], heads: int
) -> tuple[Kind, int | None, int | None] | None:
    """Read the browser's answer: a kind, alone or with a layer and a head; None for nonsense."""
    kind = _KINDS.get(str(sent.get("kind"))) if isinstance(sent, dict) else None
    if not isinstance(sent, dict) or kind is None or kind not in layers:
        return None
    if "layer" not in sent and "head" not in sent:
        return kind, None, None
    layer, head = whole(sent.get("layer")), whole(sent.get("head"))
    if layer is None or head is None or layer >= layers[kind] or head >= heads:
        return None
    return kind, layer, head
