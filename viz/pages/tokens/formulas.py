"""The formulas of the page about tokens, in LaTeX, with the sentence's own numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viz.language.formula import in_formula
from viz.language.text import _


def pieces_a_word(pieces: int, words: int) -> str:
    """Write the mean number of pieces of a word."""
    of = rf"\frac{{{in_formula(_('pieces'))}}}{{{in_formula(_('words'))}}}"
    return of + rf" = \frac{{{pieces}}}{{{words}}} = {pieces / words:.2f}"


def cut_score(first_scores: Sequence[float], pieces: int, score: float) -> str:
    """Write a cut's log-probability as a sum over its pieces, beginning with `first_scores`."""
    terms = " ".join(f"{value:+.1f}" for value in first_scores)
    dots = r" + \dots" if pieces > len(first_scores) else ""
    return (
        rf"\log P({in_formula(_('the cut'))}) = \sum_i \log P({in_formula(_('piece'))}_i)"
        rf" = {terms}{dots} = {score:.1f}"
    )


def cut_ratio(best: float, second: float) -> str:
    """Write the second cut's probability over the best cut's, from their log-probabilities."""
    first, other = (in_formula(_("cut {number}").format(number=number)) for number in (1, 2))
    return (
        rf"\frac{{P({other})}}{{P({first})}}"
        rf" = e^{{{second:.2f} - ({best:.2f})}} = {np.exp(second - best):.3g}"
    )


def embedding_lengths(
    rows: NDArray[np.floating], position: int | None, sinusoid: bool = True
) -> str:
    """Write the lengths of the row, the scaled row and the position's encoding.

    `rows` are those of `input_rows`, `position` is None if the encoding was changed. Only an
    unchanged `sinusoid` has a length that follows from the width.
    """
    width = rows.shape[1]
    row, *scaled, encoding, _total = np.linalg.norm(rows, axis=1)
    larger = "".join(rf"\qquad \sqrt{{{width}}}\,\lVert e \rVert = {one:.2f}," for one in scaled)
    known = rf" = \sqrt{{{width} / 2}}" if sinusoid and position is not None else ""
    return (
        rf"\lVert e \rVert = {row:.2f},{larger}"
        rf"\qquad \lVert {_encoding(position)} \rVert{known} = {encoding:.2f}"
    )


def _encoding(position: int | None) -> str:
    return "p" if position is None else f"PE({position})"


def input_sum(rows: NDArray[np.floating], position: int | None) -> str:
    """Write the input as a sum, and its length; the arguments are those of `embedding_lengths`."""
    length = np.linalg.norm(rows[-1])
    name = in_formula(_("input"))
    factor = rf"\sqrt{{{rows.shape[1]}}}\; " if len(rows) == 4 else ""
    return rf"{name} = {factor}e + {_encoding(position)},\qquad \lVert {name} \rVert = {length:.2f}"


def cosine(value: float) -> str:
    """Write the cosine of two pieces."""
    return rf"\cos(a, b) = \frac{{a \cdot b}}{{\lVert a\rVert\,\lVert b\rVert}} = {value:.3f}"


def principal_shares(count: int, width: int, shares: Sequence[float]) -> str:
    """Write the decomposition of (count, width), and the share of the spread in the plane."""
    return (
        rf"X - \bar{{X}} = U S V^\top,\quad X: {count} \times {width},\qquad"
        rf"\frac{{s_1^2 + s_2^2}}{{\sum_i s_i^2}} = {sum(shares):.0%}".replace("%", r"\,\%")
    )
