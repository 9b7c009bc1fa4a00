"""The weights of two words as bars of 100 %, with and without the division by √d_k, in HTML.

Its style is in `page.css`, which is loaded before the page.
"""

from decimal import Decimal
from html import escape

import numpy as np
from numpy.typing import NDArray

from viz.figures.labels import Number
from viz.figures.theme import OUTPUT, QUERY, VALUE
from viz.language.text import _
from viz.pages.by_hand.numbers import Chain

_ALL = 100.0


def flow(words: Chain, d_k: int, tokens: tuple[str, str], values: tuple[float, float]) -> str:
    """Draw both ways from two scores to weights, each with the z that results from two values."""
    lanes = (
        (_("Divided by {root}").format(root=_root(d_k)), words.divided, words.weights, VALUE),
        (_("Not divided"), words.scores, words.undivided, OUTPUT),
    )
    drawn = [
        f'<div class="lane" style="--bar:{colour}"><p><span>{name}: {_apart(scores)}</span>'
        f"<span>{_sum(weights, values)}</span></p>"
        f'<div class="ratio">{_share(weights, tokens)}<strong>{_ratio(scores)}</strong></div></div>'
        for name, scores, weights, colour in lanes
    ]
    return f'<div class="flow">{"".join(drawn)}</div>'


def real(words: Chain, d_k: int, tokens: tuple[str, str], where: str) -> str:
    """Draw both ways side by side, for two scores of the model from the link at `where`."""
    root = f"÷ {_root(d_k)}: "
    sentence = _("In this model ({where}), “{first}” against “{second}” alone: {scores}").format(
        where=escape(where),
        first=escape(tokens[0]),
        second=escape(tokens[1]),
        scores=_apart(words.scores, solved=True),
    )
    bars = _share(words.weights, tokens, root) + _share(words.undivided, tokens, _("not divided: "))
    return (
        f'<div class="flow"><div class="lane" style="--bar:{QUERY}"><p><span>{sentence}</span></p>'
        f'<div class="both">{bars}</div></div></div>'
    )


def percent(weight: float) -> str:
    """Write a weight as a percentage, with an extra digit near 0 and 100 %, then as "almost"."""
    share = _ALL * float(weight)
    written = f"{share:.0f}" if 1 <= share <= _ALL - 1 else f"{round(share, 1):g}"
    exact = share in (0, _ALL) or written not in ("0", "100")
    return f"{written}%" if exact else f"≈ {written}%"


def _root(d_k: int) -> str:
    return f"√<em>{d_k}</em>"


def _apart(scores: NDArray[np.floating], solved: bool = False) -> str:
    """Say how far apart two scores are, and what the softmax makes of that; if `solved`, in digits.

    All numbers have as many digits as the power needs, so that the difference can be checked.
    """
    apart = float(abs(scores[0] - scores[1]))
    digits = next((few for few in (2, 3) if _power(round(apart, few)) == _power(apart)), 4)
    exponent = f"{round(apart, digits):g}"
    power = f"e<sup>{exponent}</sup>" + (f" ≈ {_power(apart)}" if solved else "")
    sentence = (
        _("{first} and {second}, {apart} apart, so {power} to 1")
        if scores[0] >= scores[1]
        else _("{first} and {second}, {apart} apart, so 1 to {power}")
    )
    return sentence.format(
        first=f"<b>{_plain(scores[0], digits)}</b>",
        second=f"<b>{_plain(scores[1], digits)}</b>",
        apart=exponent,
        power=f"<b>{power}</b>",
    )


def _ratio(scores: NDArray[np.floating]) -> str:
    """Write the ratio of two weights that the softmax makes of the distance of their scores."""
    power = _power(float(abs(scores[0] - scores[1])))
    return f"{power} : 1" if scores[0] >= scores[1] else f"1 : {power}"


def _sum(weights: NDArray[np.floating], values: tuple[float, float]) -> str:
    """Write z as the sum of two products."""
    terms = " + ".join(
        f"{weight:.2f} · {f'({_plain(value)})' if value < 0 else _plain(value)}"
        for weight, value in zip(weights, values, strict=True)
    )
    return f"z = {terms} = <b>{Number(float(weights @ np.array(values))):.2f}</b>"


def _share(weights: NDArray[np.floating], tokens: tuple[str, str], before: str = "") -> str:
    """Draw two weights as parts of one bar, with their words and percents above its ends."""
    first, second = (
        f"<span><i>{start}{escape(token)}</i> {percent(weight)}</span>"
        for start, token, weight in zip((before, ""), tokens, weights, strict=True)
    )
    bar = f'<u style="--share:{weights[0]:.2%}"></u>'
    return f'<div class="share">{first}{second}{bar}</div>'


def _plain(value: float, digits: int = 2) -> str:
    return f"{Number(round(float(value), digits)):.{digits}f}".rstrip("0").rstrip(".")


def _power(exponent: float) -> str:
    """Write e to the power of an exponent of at least 0, even where that exceeds any float."""
    power = Decimal(exponent).exp()
    if power < 10**9:
        return f"{power:,.{0 if power >= 100 else 1}f}".removesuffix(".0")
    mantissa, digits = f"{power:.1e}".split("e+")
    return f"{mantissa} · 10<sup>{digits}</sup>"
