"""Check the answers that pupils have downloaded, and print a table of them as CSV.

A row for each file and lesson says how many questions of the lesson were answered, how many of the
answers were right, and whether the file is as the program wrote it: "changed" if an answer's code
does not fit, "copied" if another file has the same answers at the same times. --each prints a row
for each answer. If HEADLIGHT_SECRET is the same on the server and here, no pupil can make codes
that fit.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from model.command import called, command
from viz.handout.answers import Answer, Handed, read
from viz.shell.csv_file import csv_text
from viz.shell.lessons.shelf import read_shelf

HEAD = ("file", "name", "lesson", "questions", "answered", "right", "code", "problem")
EACH = ("file", "name", "lesson", "scene", "question", "answer", "right", "model", "time", "code")


@command
def main() -> None:
    """Read all files and print the table; a file that cannot be read gets a row that says so."""
    parser = argparse.ArgumentParser(called("viz.handout.check"), description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="answers of a pupil")
    parser.add_argument("--each", action="store_true", help="a row for each answer")
    options = parser.parse_args()
    handed: dict[str, Handed] = {}
    problems: dict[str, str] = {}
    for path in options.files:
        try:
            handed[str(path)] = read(path.read_bytes())
        except OSError as error:
            problems[str(path)] = f"it cannot be read: {error.strerror}"
        except ValueError as error:
            problems[str(path)] = str(error)
    rows = each(handed) if options.each else table(handed)
    if not options.each:
        rows = [*rows, *((file, *[""] * 6, problem) for file, problem in problems.items())]
    print(csv_text([EACH if options.each else HEAD, *rows]), end="")
    if options.each:
        for file, problem in problems.items():
            print(f"{file}: {problem}", file=sys.stderr)


def table(handed: dict[str, Handed]) -> list[Sequence[object]]:
    """Return a row for each file and lesson; `HEAD` names its columns."""
    asked = {
        lesson.name: sum(scene.question is not None for scene in lesson.scenes)
        for lesson in read_shelf("en").lessons
    }
    times = Counter(_lessons(pupil) for pupil in handed.values())
    rows: list[Sequence[object]] = []
    for file, pupil in handed.items():
        copied = times[_lessons(pupil)] > 1
        for lesson in dict.fromkeys(answer.lesson for answer in pupil.answers):
            own = [answer for answer in pupil.answers if answer.lesson == lesson]
            right = sum(answer.right for answer in own)
            count = asked.get(lesson, "")
            rows.append(
                (
                    file,
                    pupil.name,
                    lesson,
                    count,
                    len(own),
                    right,
                    _state(own, copied),
                    "",
                )
            )
        if not pupil.answers:
            rows.append((file, pupil.name, "", "", 0, 0, "", "no answers in it"))
    return rows


def each(handed: dict[str, Handed]) -> list[Sequence[object]]:
    """Return a row for each answer; `EACH` names its columns."""
    times = Counter(_lessons(pupil) for pupil in handed.values())
    return [
        (
            *(
                file,
                pupil.name,
                answer.lesson,
                answer.scene,
                answer.question,
                answer.choice,
            ),
            *("yes" if answer.right else "no", answer.model, answer.at),
            _state([answer], times[_lessons(pupil)] > 1),
        )
        for file, pupil in handed.items()
        for answer in pupil.answers
    ]


def _lessons(handed: Handed) -> frozenset[Answer]:
    return frozenset(handed.answers)


def _state(answers: Iterable[Answer], copied: bool) -> str:
    if not all(answer.genuine for answer in answers):
        return "changed"
    return "copied" if copied else "fits"


if __name__ == "__main__":
    sys.exit(main())
