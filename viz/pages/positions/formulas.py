"""The formulas of the page about positions, in LaTeX, with the numbers on screen."""

import numpy as np

from viz.language.formula import in_formula
from viz.language.text import _
from viz.pages.positions.table import Layout, dot_products, frequencies


def encoding(width: int, base: float, layout: Layout) -> str:
    """Write the encoding of position p for these settings."""
    sine, cosine = ("2i", "2i+1") if layout == "interleaved" else ("i", f"i+{width // 2}")
    angle = rf"\frac{{p}}{{{base:g}^{{2i/{width}}}}}"
    return (
        rf"PE(p)_{{{sine}}} = \sin{angle},\qquad PE(p)_{{{cosine}}} = \cos{angle},"
        rf"\qquad i = 0 \dots {width // 2 - 1}"
    )


def example(width: int, base: float, layout: Layout, position: int, pair: int) -> str:
    """Work out one pair of dimensions for one position."""
    angle = position * float(frequencies(width, base)[pair])
    first, second = (2 * pair, 2 * pair + 1)
    if layout == "two halves":
        first, second = pair, pair + width // 2
    return (
        rf"PE({position})_{{{first}}} = \sin({angle:.3f}) = {np.sin(angle):.3f},\qquad "
        rf"PE({position})_{{{second}}} = \cos({angle:.3f}) = {np.cos(angle):.3f}"
    )


def product(width: int, base: float, by: int) -> str:
    """Write the dot product of two positions `by` apart, and of a position with itself."""
    value = dot_products(np.array([by]), width, base)[0]
    return (
        r"PE(p)\cdot PE(p+k) = \sum_i \sin a_i \sin(a_i + k\omega_i) + \cos a_i\cos(a_i+k\omega_i)"
        rf" = \sum_{{i}} \cos(k\,\omega_i),\qquad k={by}:\ {value:.2f},\quad k=0:\ {width // 2}"
    )


def rotation(by: int, width: int, base: float, pair: int) -> str:
    """Write the rotation that moves a pair of dimensions on by `by` positions."""
    angle = by * float(frequencies(width, base)[pair])
    sine, cosine = np.sin(angle), np.cos(angle)
    return (
        r"\begin{pmatrix}\sin(a+k\omega)\\ \cos(a+k\omega)\end{pmatrix} = "
        r"\begin{pmatrix}\cos k\omega & \sin k\omega\\ -\sin k\omega & \cos k\omega\end{pmatrix}"
        r"\begin{pmatrix}\sin a\\ \cos a\end{pmatrix},\quad "
        rf"i={pair},\ k={by}:\ \begin{{pmatrix}}{cosine:.3f} & {sine:.3f}\\"
        rf" {-sine:.3f} & {cosine:.3f}\end{{pmatrix}}"
    )


def concatenation() -> str:
    """Write that a matrix on the concatenation is two matrices, while a sum shares one matrix."""
    return (
        r"[x\,;\,p]\begin{pmatrix}W_x\\W_p\end{pmatrix} = x W_x + p W_p,"
        r"\qquad (x + p)\,W = x W + p W"
    )


def similarity() -> str:
    """Write the dot product of two pieces, for both choices."""
    return (
        r"[x;p]\cdot[x';p'] = x\cdot x' + p\cdot p',\qquad (x+p)\cdot(x'+p') = "
        r"x\cdot x' + p\cdot p' + \underbrace{x\cdot p' + p\cdot x'}_{"
        + in_formula(_("cross terms"))
        + "}"
    )


def rotary() -> str:
    """Write that the product of a turned query and key depends only on their distance."""
    return r"(R_m\,q)\cdot(R_n\,k) = q\cdot R_{n-m}\,k"
