"""What is measured in a lesson, and the form of the phrases that ask for it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from model.interventions.base import Intervention
from viz.compute import effects
from viz.compute.effects import Effect

Value = str | float
"""A text, or a number; a share is a number from 0 to 1."""


@dataclass(frozen=True)
class Subject:
    """What is measured: a sentence, and what is changed in the model."""

    sentence: str
    interventions: tuple[Intervention, ...] = ()

    @property
    def effect(self) -> Effect:
        """Return the unchanged and the changed model on this sentence."""
        return effects.effect(self.sentence, self.interventions)


@dataclass(frozen=True)
class Form:
    """A phrase with names in angle brackets, how its value is written, and how it is computed."""

    phrase: str
    style: str
    measure: Callable[..., Value]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return what the phrase looks like in a lesson."""
        return re.compile(re.sub(r"<(\w+)>", r"(?P<\1>.+?)", self.phrase))
