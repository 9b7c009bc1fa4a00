"""The way of two words from their scores to z, with the division by √d_k and without, in HTML.

Its style is in `app.css`, which is there before the page: it places the boxes, too.
"""

from decimal import Decimal
from html import escape

import numpy as np
from numpy.typing import NDArray

from viz.figures.labels import Number
from viz.figures.theme import OUTPUT, QUERY, VALUE
from viz.language.text import _
from viz.pages.by_hand.numbers import Chain

_DIVIDED, _RAW = 3, 6
"""The rows of the grid in which the two ways begin."""


def flow(words: Chain, tokens: tuple[str, str], values: tuple[float, float]) -> str:
    """Draw both ways as cells of one grid, which leaves room for the boxes to type in."""
    colours = f"--divided:{VALUE};--raw:{OUTPUT}"
    lanes = (
        (_DIVIDED, "divided", words.divided, words.weights, VALUE),
        (_RAW, "raw", words.scores, words.undivided, OUTPUT),
    )
    cells = [f'<div class="lane {name}" style="{colours}"></div>' for _at, name, *_rest in lanes]
    cells += _heads()
    most = float(np.abs(words.scores).max(initial=1e-9))
    for row, name, scores, weights, colour in lanes:
        cells.append(_cell("said", row - 1, _said(name == "divided", scores, tokens)))
        for at, token in enumerate(tokens):
            typed = name == "divided"
            cells += [
                _cell("word", row + at, escape(token)),
                "" if typed else _cell("score", row + at, _plain(scores[at]), 2),
                _bar("score-bar", row + at, 3, (scores[at], most), QUERY, _plain(scores[at])),
                _bar("share", row + at, 4, (weights[at], 1.0), colour, f"{weights[at]:.2f}"),
                _cell("value typed" if typed else "value", row + at, _times(typed, values[at]), 5),
                _cell("part", row + at, _signed(weights[at] * values[at]), 6),
            ]
        z = Number(float(weights @ np.array(values)))
        place = f"grid-area:{row} / -2 / span 2;color:color-mix(in srgb,{colour} 80%,currentColor)"
        cells.append(f'<div class="z" style="{place}"><b>{z:.2f}</b></div>')
    return f'<div class="flow">{"".join(cells)}</div>'


def _heads() -> list[str]:
    root = "√<em>d<sub>k</sub></em>"
    names = {
        2: _("q · k"),
        3: f"÷ {root}<span>, &nbsp; d<sub>k</sub> =</span>",
        4: _("softmax: weights"),
        5: _("times v"),
        -2: _("sum z"),
    }
    return [
        f'<div class="head" style="grid-column:{column}">{name}</div>'
        for column, name in names.items()
    ]


def _cell(kind: str, row: int, text: str, column: int | None = None) -> str:
    place = f"grid-row:{row}" + (f";grid-column:{column}" if column else "")
    return f'<div class="{kind}" style="{place}">{text}</div>'


def _times(typed: bool, value: float) -> str:
    """Write the sign of a product, and a number of v, unless its box stands there."""
    return "×" if typed else f"× {_plain(value)}"


def _signed(value: float) -> str:
    rounded = round(float(value), 2)
    return f"{Number(rounded):+.2f}" if rounded else "0.00"


def _bar(
    kind: str, row: int, column: int, length: tuple[float, float], colour: str, text: str
) -> str:
    """Draw a number and, beside it, a bar of `length`: its share of the longest one."""
    value, most = length
    below = ' class="below"' if value < 0 else ""
    bar = f'<i{below} style="width:{abs(value) / most:.2%};--bar:{colour}"></i>'
    return _cell(f"bar {kind}", row, f"<b>{text}</b>{bar}", column)


def _plain(value: float) -> str:
    return f"{Number(round(float(value), 2)):g}"


def _said(divided: bool, scores: NDArray[np.floating], tokens: tuple[str, str]) -> str:
    """Say how far the scores are apart, and what the softmax makes of that."""
    apart = float(abs(scores[0] - scores[1]))
    first, second = tokens if scores[0] >= scores[1] else tokens[::-1]
    if divided:
        text = _("Divided: {apart} apart, so “{first}” weighs {times} times as much as “{second}”.")
    else:
        text = _("Not divided: {apart} apart, so “{first}” weighs {times} times as much.")
    return text.format(
        apart=_plain(apart),
        times=f"<strong>e<sup>{_plain(apart)}</sup> ≈ {_power(apart)}</strong>",
        first=escape(first),
        second=escape(second),
    )


def _power(exponent: float) -> str:
    """Write e to the power of an exponent, from zero, also where it is beyond any float."""
    power = Decimal(exponent).exp()
    if power < 10**9:
        return f"{power:,.{0 if power >= 100 else 1}f}"
    mantissa, digits = f"{power:.1e}".split("e+")
    return f"{mantissa} · 10<sup>{digits}</sup>"
