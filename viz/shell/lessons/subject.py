"""The subject of a lesson's measures, and the form of their phrases."""

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
    """The subject of a measure: a sentence, and the changes in the model."""

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
        """Return the phrase as a lesson writes it."""
        return re.compile(re.sub(r"<(\w+)>", r"(?P<\1>.+?)", self.phrase))
