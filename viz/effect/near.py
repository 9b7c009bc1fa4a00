"""A warning for pairs whose answer is nearly a tie, or is hardly either of the two pieces."""

from collections.abc import Sequence

from model.interventions.message import Message
from viz.language.text import _, later

TIE = later(
    "Little decides here: the two pieces have {one} and {two} in this sentence, {there} and "
    "{other} in the other. A small push turns the answer."
)

RARE = later(
    "The two pieces have {one} and {two} in this sentence, {there} and {other} in the other: "
    "where they have little together, most of the probability is on other pieces."
)

APART, TOGETHER = 0.05, 0.2
"""Two probabilities decide something from this difference, and from this sum, on."""


def near_tie(answers: Sequence[tuple[float, float]]) -> str:
    """Return a warning, with figures, if the two pieces decide little in a sentence; else "".

    `answers` are the probabilities of both pieces in this sentence and in the other.
    """
    warning = tie(answers)
    return _(warning.text).format(**warning.values) if warning else ""


def tie(answers: Sequence[tuple[float, float]]) -> Message | None:
    """Return the same as a message, None where there is nothing to warn of."""
    if all(abs(one - two) >= APART and one + two >= TOGETHER for one, two in answers[:2]):
        return None
    (one, two), (there, other) = answers[:2]
    return Message(
        TIE if any(abs(first - second) < APART for first, second in answers[:2]) else RARE,
        one=f"{one:.1%}",
        two=f"{two:.1%}",
        there=f"{there:.1%}",
        other=f"{other:.1%}",
    )
