"""Labels of tokens and heads, and the names of kinds of attention and of sublayers."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Kind, Sublayer
from model.words import SPECIAL_TOKENS
from viz.figures.theme import token_text
from viz.language.text import _


def token_label(token: str) -> str:
    """Write a token for an axis or a bar, safe from plotly's markup and its formulas."""
    label = token_text(token).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return without_formulas(label)


def without_formulas(text: str) -> str:
    """Write each "$" of plotly's markup as its number, so that no two enclose a formula."""
    return text.replace("$", "&#36;")


def written_by(tokens: Sequence[str], row: int) -> str:
    """Return the piece that a row of the decoder writes: the next token, or the end token."""
    return tokens[row + 1] if row + 1 < len(tokens) else SPECIAL_TOKENS[2]


def query_name(kind: Kind, tokens: Sequence[str], row: int) -> str:
    """Return the token that names a query: in the decoder, the one that the row writes."""
    return tokens[row] if kind == "encoder" else written_by(tokens, row)


def writing(tokens: Sequence[str], row: int) -> str:
    """Return words such as "writing il" for a row of the decoder: the piece that it writes."""
    return _("writing {word}").format(word=token_text(written_by(tokens, row)))


def token_ticks(tokens: Sequence[str]) -> dict[str, Any]:
    """Return the settings that label the places of a plotly axis, from 0, with tokens.

    All labels are shown, so that plotly need not measure them to hide those beyond the edge.
    """
    return {
        "tickmode": "array",
        "tickvals": list(range(len(tokens))),
        "ticktext": [token_label(token) for token in tokens],
        "ticklabeloverflow": "allow",
        "showgrid": False,
    }


def named_cells(rows: Iterable[str], columns: Iterable[str]) -> NDArray[np.object_]:
    """Return the names of each cell's row and column, for a heatmap (rows, columns, 2).

    It returns an array, as plotly reads lists item by item.
    """
    names = list(columns)
    return np.array([[(row, column) for column in names] for row in rows], dtype=object)


class Number(float):
    """A number on screen: formatted like any other, with a minus sign instead of a hyphen."""

    def __format__(self, style: str) -> str:
        return super().__format__(style).replace("-", "\u2212")


def fine_percent(share: float) -> str:
    """Write a share in per cent with one decimal; a small share gets more, and is never 0.0%."""
    value = 100 * share
    if value == 0 or value >= 0.05:
        return f"{value:.1f}%"
    return "<\u00a00.001%" if value < 0.0005 else f"{value:.{3 if value < 0.005 else 2}f}%"


def kind_names() -> dict[Kind, str]:
    """Return the names of the kinds of attention on screen."""
    return {"encoder": _("encoder"), "decoder": _("decoder"), "cross": _("cross")}


def head_text(kind: Kind, layer: int, head: int) -> str:
    """Return a head's name; layer and number count from 0, and "cross 5.6" is head 6 of layer 5."""
    return f"{kind_names()[kind]} {layer + 1}.{head + 1}"


def sublayer_names() -> dict[Sublayer, str]:
    """Return the names of the sublayers on screen."""
    return {
        "self_attn": _("self-attention"),
        "cross_attn": _("cross-attention"),
        "ffn": _("feed-forward"),
    }
