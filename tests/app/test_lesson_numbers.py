"""The kept numbers of the shipped lessons against the models."""

import pytest

from viz.compute import models
from viz.shell.lessons import numbers
from viz.shell.lessons.format import Lesson
from viz.shell.lessons.renew import measured
from viz.shell.lessons.shelf import made_for, shipped

BY_MACHINE = {"length of the first step without warm-up": 0.03}
"""Relative differences between machines: Muon computes in the type that the processor multiplies
fast, and in bfloat16 the smallest singular values of a gradient are rounding errors, which it makes
as long as the others.
"""


@pytest.mark.parametrize("lesson", shipped(), ids=lambda lesson: lesson.name)
def test_the_kept_numbers_of_a_lesson_are_those_of_its_model(lesson: Lesson) -> None:
    """Rounding errors differ between machines."""
    with models.using(made_for(lesson)):
        kept = numbers.read(made_for(lesson))
        for sentence, by_edits in measured([lesson], pytest.fail).items():
            for edits, values in by_edits.items():
                own = kept[sentence][edits]
                for text, value in values.items():
                    within = BY_MACHINE.get(text, 1e-3)
                    expected = (
                        value if isinstance(value, str) else pytest.approx(value, within, 1e-4)
                    )
                    assert own[text] == expected, text
