"""What all measures of lessons share: their values, their forms, and the run that they read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from viz.compute import effects
from viz.compute.effects import Effect
from viz.compute.runs import Subject

Value = str | float
"""A text, or a number; a share is a number from 0 to 1."""

_SLOT = re.compile(r"<([^>]+)>")


def effect_of(subject: Subject) -> Effect:
    """Return the runs of the unchanged and the changed model on the subject's sentence."""
    return effects.effect(subject.sentence, subject.interventions)


@dataclass(frozen=True)
class Form:
    """A form of measure: its phrase, the style in which its value is written, and its function.

    Slots of the phrase are the function's arguments after the subject, as texts: <number> holds
    digits, <first/last> one of these words, and any other slot some text.
    """

    phrase: str
    style: str
    measure: Callable[..., Value]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the pattern that matches the phrase, with a group for each slot."""
        return re.compile(_SLOT.sub(_group, self.phrase))


def _group(slot: re.Match[str]) -> str:
    if "/" in slot[1]:
        return f"({slot[1].replace('/', '|')})"
    return r"(\d{1,9})" if slot[1] == "number" else "(.+?)"


def forms(by_style: Mapping[str, Mapping[str, Callable[..., Value]]]) -> tuple[Form, ...]:
    """Return the forms of functions that are given by style and phrase."""
    return tuple(
        Form(phrase, style, function)
        for style, group in by_style.items()
        for phrase, function in group.items()
    )
