"""Rows of the decoder as tables, in HTML: input, target and loss."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from model.words import is_mute
from viz.figures.labels import fine_percent
from viz.figures.theme import KEY, OUTPUT, QUERY, token_text
from viz.language.text import _

MOST_ROWS, CELL = 48, 15
"""The most rows of a table, and the pixels of a cell of the mask."""

_STYLE = f"""<style>
.rows {{overflow-x:auto}}
.rows table {{border-collapse:collapse;font-size:max(15px,var(--least,0px));
  line-height:1.35}}
.rows th {{font-weight:600;text-align:left;vertical-align:bottom;padding:2px 14px 4px 0}}
.rows td {{padding:2px 14px 2px 0;white-space:nowrap;border:0}}
.rows .chip {{border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:6px;
  padding:1px 7px;white-space:pre}}
.rows .special {{opacity:.6}}
.rows [data-target-place] {{cursor:pointer}}
.rows .own {{border-color:{KEY};background:color-mix(in srgb,{KEY} 22%,transparent)}}
.rows .number {{text-align:right;font-variant-numeric:tabular-nums}}
.rows .chosen td {{background:color-mix(in srgb,{QUERY} 16%,transparent)}}
.rows .parts td {{border-top:2px dashed {KEY}}}
.rows i {{display:inline-block;width:{CELL - 2}px;height:{CELL - 2}px;margin-right:2px;
  border-radius:2px;vertical-align:-2px;font:700 11px/13px sans-serif;text-align:center;
  border:1px solid color-mix(in srgb,currentColor 14%,transparent);box-sizing:border-box}}
.rows i.see {{background:color-mix(in srgb,{KEY} 55%,transparent);border-color:transparent}}
.rows i.self {{background:{KEY};border-color:transparent}}
.rows i.answer {{border:1.5px solid {OUTPUT};color:inherit}}
@media (max-width: 1100px) {{
  .rows :is(th, td) {{padding-right:7px}}
  .rows .chip {{padding:1px 4px}}
  .rows i {{width:11px;margin-right:0}}
  .rows .bar {{zoom:.7}}
}}
.rows .bar {{display:inline-block;height:12px;border-radius:2px;vertical-align:-1px}}
</style>"""


@dataclass(frozen=True, eq=False)
class ExampleRows:
    """The rows of one training example, T of each.

    A row reads the piece `given`; `wanted` is the right next piece, and `said` the most probable.
    `mask` (T, T) marks the keys that a row may look at. `probabilities` are those of the right
    pieces, `losses` their -log p in nats.
    """

    given: Sequence[str]
    wanted: Sequence[str]
    said: Sequence[str]
    mask: NDArray[np.bool_]
    probabilities: NDArray[np.floating]
    losses: NDArray[np.floating]


def example_table(rows: ExampleRows, chosen: int, target: str | None = None) -> str:
    """Return a table, as HTML, of the input, the mask, the target and the loss of each row.

    It has at most MOST_ROWS rows and is safe for any token. Row `chosen` is marked. An input token
    offers a menu; it belongs to the text `target`, or else to the model's own translation.
    """
    shown = min(len(rows.given), MOST_ROWS)
    heads = (
        "",
        _("goes in"),
        _("may look at: keys 1 to {count}").format(count=shown),
        _("must come out"),
        _("its probability"),
        "",
        "\u2212log p",
        _("the model's first choice"),
    )
    lines = [
        (
            "chosen" if row == chosen else "",
            (
                number(str(row + 1)),
                chip(rows.given[row], position=row),
                _cells(rows.mask[row, :shown], row, rows.given),
                chip(rows.wanted[row]),
                bar(float(rows.probabilities[row]), QUERY, 130),
                number(fine_percent(float(rows.probabilities[row]))),
                number(f"{rows.losses[row]:.2f}"),
                "✓" if rows.said[row] == rows.wanted[row] else chip(rows.said[row], own=True),
            ),
        )
        for row in range(shown)
    ]
    return table(heads, lines, target)


@dataclass(frozen=True)
class FedLine:
    """A row, fed with the reference and with the mixture; losses are in nats.

    `reference` is the expected output, `given` the input, and `own_given` the mixture's input, None
    if the mixture has ended before. `own` is True if that is the model's own word, `due` is the
    piece of the reference that should follow it, and `said` the model's most probable next piece.
    """

    reference: str
    given: str
    loss: float
    own_given: str | None
    own: bool
    own_loss: float
    due: str
    said: str


def fed_table(lines: Sequence[FedLine], parted: int | None, target: str | None = None) -> str:
    """Return a table, as HTML, of teacher forcing and the mixture side by side.

    A dashed line stands above the row `parted`, where the two part. Tokens offer a menu as in
    `example_table`.
    """
    heads = (
        "",
        _("must come out"),
        _("fed with the reference"),
        "\u2212log p",
        "",
        _("fed with the mixture"),
        _("due"),
        "\u2212log p",
        "",
        _("what it says then"),
    )
    most = max(max(line.loss, line.own_loss) for line in lines)
    drawn = []
    for index, line in enumerate(lines[:MOST_ROWS]):
        mixed = ("", "", "", "", "")
        if line.own_given is not None:
            mixed = (
                chip(line.own_given, own=line.own),
                chip(line.due),
                number(f"{line.own_loss:.2f}"),
                bar(line.own_loss / most, KEY, 150),
                chip(line.said),
            )
        cells = (
            number(str(index + 1)),
            chip(line.reference),
            chip(line.given, position=index),
            number(f"{line.loss:.2f}"),
            bar(line.loss / most, QUERY, 150),
            *mixed,
        )
        drawn.append(("parts" if index == parted else "", cells))
    return table(heads, drawn, target)


def table(
    heads: Sequence[str], lines: Sequence[tuple[str, Sequence[str]]], target: str | None = None
) -> str:
    """Return lines (class, cells in HTML) under headings (plain text) as a table in HTML.

    The tokens belong to the text `target`; if it is None, to the model's own translation.
    """
    top = "".join(f"<th>{escape(head)}</th>" if head else "<td></td>" for head in heads)
    body = "".join(
        f'<tr class="{name}">{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for name, cells in lines
    )
    given = f' data-given="{escape(target)}"' if target else ""
    return f'{_STYLE}<div class="rows"{given}><table><tr>{top}</tr>{body}</table></div>'


def chip(token: str, own: bool = False, position: int | None = None) -> str:
    """Return a token as HTML; `own` marks the model's own tokens; with a `place`, it has a menu."""
    names = ["chip", *(["special"] if is_mute(token) else []), *(["own"] if own else [])]
    label = escape(token_text(token))
    offers = (
        ""
        if position is None
        else (f' data-target-place="{position}" title="{label}" role="button" tabindex="0"')
    )
    return f'<span class="{" ".join(names)}"{offers}>{label}</span>'


def bar(share: float, colour: str, width: int) -> str:
    """Return a bar as HTML, a share of `width` pixels long and at least one pixel."""
    drawn = max(1, round(width * min(share, 1.0)))
    rest = width - drawn
    return f'<span class="bar" style="width:{drawn}px;background:{colour}"></span>' + (
        f'<span class="bar" style="width:{rest}px"></span>' if rest else ""
    )


def number(digits: str) -> str:
    """Return a number as HTML, aligned with the numbers above and below it."""
    return f'<div class="number">{escape(digits)}</div>'


def _cells(sees: NDArray[np.bool_], row: int, given: Sequence[str]) -> str:
    """Return a cell, as HTML, for each key of a row; its answer is the key after its position."""
    cells = []
    for key, visible in enumerate(sees):
        name, sign = "see" if visible else "", ""
        if key == row:
            name = "self" if visible else ""
        elif key == row + 1:
            name, sign = "answer", "✕" if not visible else ""
        title = escape(token_text(given[key]), quote=True)
        cells.append(f'<i class="{name}" title="{title}">{sign}</i>')
    return "".join(cells)
