"""The subject of a lesson's measures, and the form of their phrases."""

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
    """Return the unchanged and the changed model on the subject's sentence."""
    return effects.effect(subject.sentence, subject.interventions)


@dataclass(frozen=True)
class Form:
    """A phrase with names in angle brackets, how its value is written, and how it is computed."""

    phrase: str
    style: str
    measure: Callable[..., Value]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the phrase as a lesson writes it."""
        return re.compile(re.sub(r"<(\w+)>", r"(?P<\1>.+?)", self.phrase))
