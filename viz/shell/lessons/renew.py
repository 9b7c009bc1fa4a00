"""Measure what the shipped lessons show: `python -m viz.shell.lessons.renew`.

It measures every number of the shipped lessons on the models that they are made for, and keeps the
numbers in the folders of these models (lessons.json). It prints the scenes that no longer fit their
model: those with something that cannot be measured, with an expectation that does not hold, or with
a question without a right answer. Its exit status is 1 if there are any.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from viz.compute import models
from viz.compute.runs import Subject
from viz.shell.lessons import measures, numbers
from viz.shell.lessons.form import Value
from viz.shell.lessons.format import Lesson
from viz.shell.lessons.numbers import Numbers
from viz.shell.lessons.shelf import made_for, shipped, subject_of


def measured(lessons: Iterable[Lesson], report: Callable[[str], None]) -> Numbers:
    """Run the model in force, and return the values of all measures in these lessons.

    Values are rounded to six digits, or to whole numbers if they are large. What cannot be measured
    is reported and left out.
    """
    values: Numbers = {}

    def value(measure: str, subject: Subject) -> Value:
        result = measures.measure(measure, subject)
        if not isinstance(result, str):
            result = float(f"{result:.6g}") if abs(result) < 1e6 else float(round(result))
        numbers.put(values, measure, subject, result)
        return result

    for lesson in lessons:
        print(f"{lesson.file} on {models.in_force()} ...", flush=True)
        for number, scene in enumerate(lesson.scenes, 1):
            try:
                subject = subject_of(scene, value)
                for measure in scene.measures:
                    value(measure, subject)
            except ValueError as error:
                report(f"{_called(lesson, number)}: {error}")
    return values


def misfits(lesson: Lesson) -> Iterator[str]:
    """Yield a line for everything that does not hold in a lesson, judged by the kept numbers."""
    for number, scene in enumerate(lesson.scenes, 1):
        with suppress(ValueError):  # reported when it was measured
            subject = subject_of(scene)
            for expectation in scene.expectations:
                if not measures.holds(expectation, subject):
                    now = measures.written(expectation.measure, subject)
                    yield f"{_called(lesson, number)}: expected {expectation}; it is {now}"
            if scene.question and measures.right(scene.question.choices, subject) is None:
                yield f"{_called(lesson, number)}: no choice is right"


def _called(lesson: Lesson, number: int) -> str:
    return f"{lesson.name}, scene {number}, {lesson.scenes[number - 1].title}"


def main() -> int:
    """Measure all lessons by model, keep the numbers, and report what does not fit."""
    argparse.ArgumentParser(
        prog="python -m viz.shell.lessons.renew",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    wrong: list[str] = []
    lessons = shipped()
    for name in dict.fromkeys(made_for(lesson) for lesson in lessons):
        own = [lesson for lesson in lessons if made_for(lesson) == name]
        with models.using(name):
            numbers.write(name, measured(own, wrong.append))
            wrong += [line for lesson in own for line in misfits(lesson)]
    print("\n".join(wrong) or "Every scene fits its model.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
