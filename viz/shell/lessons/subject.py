"""What all measures of lessons share: their values, their form, and the run that they read."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from viz.compute import effects
from viz.compute.effects import Effect
from viz.compute.runs import Subject

Value = str | float
"""A text, or a number; a share is a number from 0 to 1."""


def effect_of(subject: Subject) -> Effect:
    """Return the runs of the unchanged and the changed model on the subject's sentence."""
    return effects.effect(subject.sentence, subject.interventions)


@dataclass(frozen=True)
class Form:
    """A form of measure: its phrase, the style in which its value is written, and its function.

    Names in angle brackets in the phrase are the function's arguments after the subject.
    """

    phrase: str
    style: str
    measure: Callable[..., Value]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the pattern of the phrase, with a named group for each argument."""
        return re.compile(re.sub(r"<(\w+)>", r"(?P<\1>.+?)", self.phrase))
