"""A sentence cut in several ways, as HTML."""

from collections.abc import Mapping, Sequence
from html import escape

from viz.figures.theme import token_text

_CUT = "border:1px solid;border-radius:6px;padding:1px 7px;font-size:16px;white-space:pre;"
_LINE = "border-color:color-mix(in srgb,currentColor 30%,transparent);"
_LOST = "border-color:#D55E00;border-style:dashed;color:#D55E00;"


def cuts_board(cuts: Mapping[int, Sequence[tuple[str, bool]]]) -> str:
    """Return a row of pieces for each size of vocabulary, as HTML; unknown pieces are dashed.

    Each piece comes with True if it is known. The HTML is safe for any text.
    """
    rows = "".join(
        f'<b style="font-size:max(15px,var(--least,0px))">{size}</b>'
        '<div style="display:flex;flex-wrap:wrap;gap:4px">'
        f"{''.join(_chip(*chip) for chip in cut)}</div>"
        for size, cut in cuts.items()
    )
    grid = "display:grid;grid-template-columns:max-content 1fr;gap:8px 14px;align-items:center"
    return f'<div style="{grid}">{rows}</div>'


def _chip(piece: str, known: bool) -> str:
    style = _CUT + (_LINE if known else _LOST)
    title = "" if known else ' title="&lt;unk&gt;"'
    return f'<span{title} style="{style}">{escape(token_text(piece))}</span>'
