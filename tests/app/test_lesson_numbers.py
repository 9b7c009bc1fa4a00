"""The kept numbers of the shipped lessons against the models."""

import pytest

from viz.compute import models
from viz.shell.lessons import numbers
from viz.shell.lessons.format import Lesson
from viz.shell.lessons.renew import measured
from viz.shell.lessons.shelf import made_for, shipped


@pytest.mark.parametrize("lesson", shipped(), ids=lambda lesson: lesson.name)
def test_the_kept_numbers_of_a_lesson_are_those_of_its_model(lesson: Lesson) -> None:
    """Rounding errors differ between machines."""
    with models.using(made_for(lesson)):
        kept = numbers.read(made_for(lesson))
        for sentence, by_edits in measured([lesson], pytest.fail).items():
            for edits, values in by_edits.items():
                own = kept[sentence][edits]
                for text, value in values.items():
                    expected = value if isinstance(value, str) else pytest.approx(value, 1e-3, 1e-4)
                    assert own[text] == expected, text
