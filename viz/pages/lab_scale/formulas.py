"""The formulas of changed positions, in LaTeX, with the numbers on screen."""

import numpy as np

from model.interventions.positions import (
    HoldPosition,
    PositionIntervention,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from viz.language.formula import in_formula
from viz.language.text import _


def changed(change: PositionIntervention) -> str:
    """Write the encoding that position i gets; ValueError for a change without a formula."""
    match change:
        case ScalePositions(_, factor):
            return rf"PE'(i) = {factor:g}\; PE(i)"
        case ShufflePositions():
            of = in_formula(_("a permutation"))
            return rf"PE'(i) = PE(\pi(i)),\quad \pi(0), \dots, \pi(n-1):\ {of}"
        case ShiftPositions(_, by):
            return rf"PE'(i) = PE(i {by:+d})"
        case RepeatPosition(_, position):
            return (
                rf"PE'({position + 1}) = PE({position}),"
                rf"\quad PE'(i) = PE(i)\ {in_formula(_('elsewhere'))}"
            )
        case HoldPosition():
            return "PE'(i) = PE(0)"
    raise ValueError(f"no formula is known for {change}")


def log_probs(before: float, after: float) -> str:
    """Write a translation's log-probability without and with a change, and the factor between.

    `before` and `after` are in nats.
    """
    return (
        rf"\log P = {before:.2f} \;\to\; {after:.2f},\qquad"
        rf" \frac{{P'}}{{P}} = e^{{{after - before:.2f}}} = "
        rf"{_scientific(float(np.exp(after - before)))}"
    )


def _scientific(value: float) -> str:
    if 0.001 <= value < 1000 or value == 0:
        return f"{value:.3g}"
    digits, power = f"{value:.1e}".split("e")
    return rf"{digits} \cdot 10^{{{int(power)}}}"
