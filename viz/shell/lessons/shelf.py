"""All lessons, the faults of lessons that are left out, and the links of scenes."""

import logging
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qs

from viz.compute import models
from viz.compute.runs import Subject
from viz.course.pages import page_links
from viz.figures.letters import STAGE
from viz.language.text import CHOSEN, ENGLISH
from viz.link import address, edits
from viz.link.table import CLASSROOM, ON
from viz.shell.lessons import numbers
from viz.shell.lessons.form import Value
from viz.shell.lessons.format import Known, Lesson, LessonError, Scene, fill, name_of, parse
from viz.shell.lessons.measures import is_measure, value, write
from viz.shell.state import first_sentence

OURS = Path(__file__).parents[2] / "lessons"
VARIABLE = "HEADLIGHT_LESSONS"
"""The environment variable that names a folder of your own lessons, which are listed after ours."""

Values = Callable[[str, Subject], Value]
"""A function that returns the value of a measure, or raises ValueError."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shelf:
    """The lessons in the order of their files, and the faults of lessons that are left out."""

    lessons: tuple[Lesson, ...]
    problems: tuple[str, ...]

    def find(self, name: str) -> Lesson | None:
        """Return the lesson with a name; None if there is none."""
        return next((lesson for lesson in self.lessons if lesson.name == name), None)

    def problem(self, name: str) -> str | None:
        """Return the fault of the lesson with a name; None if it has none."""
        # A fault begins with the name of its file.
        return next((fault for fault in self.problems if name_of(fault) == name), None)


def read_shelf(language: str) -> Shelf:
    """Read all lessons, each in this language if there is such a file; log and list broken ones.

    Lessons that are made for a model that is not here are left out, and so are scenes that need
    such a model. Once a file has changed, all are read again, so a teacher sees each change.
    """
    folders = [OURS, *(Path(own) for own in [os.environ.get(VARIABLE)] if own)]
    return _shelf(folders, language)


def shipped() -> tuple[Lesson, ...]:
    """Read those of our own lessons whose models are here, in English."""
    return _shelf([OURS], ENGLISH).lessons


def _shelf(folders: Iterable[Path], language: str) -> Shelf:
    files = tuple(_state(path) for folder in folders for path in _files(folder, language))
    return _read(files, frozenset(models.folders()), frozenset(models.twins()))


def _state(path: Path) -> tuple[Path, int, int]:
    """Return a file, the time of its last change, and its size; 0 and 0 if it cannot be read."""
    with suppress(OSError):
        stat = path.stat()
        return path, stat.st_mtime_ns, stat.st_size
    return path, 0, 0


@lru_cache(maxsize=8)
def _read(
    files: tuple[tuple[Path, int, int], ...], offered: frozenset[str], twins: frozenset[str]
) -> Shelf:
    known = Known(page_links(), is_measure)
    lessons: list[Lesson] = []
    problems: list[str] = []
    for path, _changed, _size in files:
        try:
            lessons.append(parse(path.read_text(encoding="utf-8"), path.name, known))
        except UnicodeDecodeError:
            problems.append(str(LessonError(path.name, 1, "this is not UTF-8 text")))
        except OSError as error:
            problems.append(str(LessonError(path.name, 1, f"{error.strerror}")))
        except LessonError as error:
            problems.append(str(error))
    for problem in problems:
        _LOG.warning("lesson left out: %s", problem)
    here = [
        replace(lesson, scenes=tuple(s for s in lesson.scenes if s.needs in {"", *offered, *twins}))
        for lesson in lessons
        if lesson.model in {"", *offered}
    ]
    return Shelf(tuple(lesson for lesson in here if lesson.scenes), tuple(problems))


def _files(folder: Path, language: str) -> list[Path]:
    """Return a file for each lesson: in this language, or else in English, or else in any."""
    by_name: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.glob("*.*.md")):
        name, own = path.name.split(".")[:2]
        by_name.setdefault(name, {})[own] = path
    return [
        files.get(language) or files.get(ENGLISH) or next(iter(files.values()))
        for _name, files in sorted(by_name.items(), key=lambda named: _order(named[0]))
    ]


def _order(name: str) -> tuple[float, str]:
    """Return a key that sorts names by the number in front: 9-masks, 10-heads, then masks."""
    number = name.partition("-")[0]
    return (int(number) if number.isdecimal() else float("inf"), name)


def subject_of(scene: Scene, value: Values = value) -> Subject:
    """Return the sentence and the interventions of a scene's link.

    Raises ValueError if a placeholder of the link cannot be measured.
    """
    parameters = dict(filled_parameters(scene, value))
    sentence = parameters.get("sentence", first_sentence())
    return Subject(sentence, edits.read(parameters.get("edits", ""), sentence).interventions)


def filled_parameters(scene: Scene, value: Values = value) -> list[tuple[str, str]]:
    """Return the parameters of a scene's link with their placeholders filled in.

    A placeholder is, for example, the layer of the deciding head. The sentence is filled in first,
    as the others are measured on it. Raises ValueError if a placeholder cannot be measured.
    """
    given = dict(scene.parameters).get("sentence", first_sentence())
    unchanged = Subject(_filled(given, Subject(""), value))
    return [(name, _filled(text, unchanged, value)) for name, text in scene.parameters]


def known_parameters(scene: Scene) -> list[tuple[str, str]]:
    """Return those parameters of a scene's link that are known without running the model."""
    given = dict(scene.parameters).get("sentence", first_sentence())
    known: list[tuple[str, str]] = []
    with suppress(ValueError):
        unchanged = Subject(_filled(given, Subject(""), numbers.known))
        for name, text in scene.parameters:
            with suppress(ValueError):
                known.append((name, _filled(text, unchanged, numbers.known)))
    return known


def _filled(text: str, subject: Subject, value: Values) -> str:
    return fill(text, lambda measure: write(measure, value(measure, subject)))


def made_for(lesson: Lesson) -> str:
    """Return the name of the model that a lesson is made for."""
    return lesson.model or models.default()


def scene_link(lesson: Lesson, number: int, along: Iterable[tuple[str, str]] = ()) -> str:
    """Return the link of a scene, counted from 1, relative to any page of the app.

    The link names the lesson's model, unless that is the default, and ends with the parameters in
    `along`. No model is run for it: if a parameter has a placeholder that is not among the kept
    numbers, it is left out, and added when the scene is opened.
    """
    scene, default = lesson.scenes[number - 1], models.default()
    with models.using(made_for(lesson)):
        filled = known_parameters(scene)
    model = [(models.CHOSEN, lesson.model)] if lesson.model not in ("", default) else []
    parameters = [*filled, *model, ("lesson", lesson.name), ("scene", str(number))]
    return address.link(scene.page, [*parameters, *along])


def number_of(text: str, lesson: Lesson) -> int:
    """Return the number of a scene that a link names: 1 for nonsense, at most the last scene's."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return min(max(number, 1), len(lesson.scenes))


def lesson_link(query: str) -> str | None:
    """Return the link of the scene that "?lesson=NAME&scene=3" means; None for any other query.

    The link keeps the presenter mode, the class and the language.
    """
    given = parse_qs(query)
    if "lesson" not in given:
        return None
    language = given.get(CHOSEN, [""])[-1]
    lesson = read_shelf(language).find(given.get("lesson", [""])[-1])
    along = [(STAGE, ON)] if given.get(STAGE, [])[-1:] == [ON] else []
    along += [(CHOSEN, language)] if language else []
    along += [(name, given[name][-1]) for name in CLASSROOM if name in given]
    number = given.get("scene", ["1"])[-1]
    return scene_link(lesson, number_of(number, lesson), along) if lesson else None
