"""An assignment: a Markdown file in `docs/assignments`, and the conditions that it is graded by."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from model.home import HOME
from viz.handout import links
from viz.handout.links import HandedLink
from viz.shell.lessons.format import Condition, read_condition
from viz.shell.lessons.measures import compared

FOLDER = HOME / "docs" / "assignments"
_CRITERION = re.compile(r"^- (.+) \| (.+)$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Criterion:
    """What an assignment asks for, in words and as a condition; each is one point."""

    words: str
    condition: Condition


@dataclass(frozen=True)
class Assignment:
    """An assignment, by its name: `assignment-2`."""

    name: str
    title: str
    criteria: tuple[Criterion, ...]


def assignments(language: str) -> Mapping[str, Assignment]:
    """Return all assignments by their names, in this language; ValueError for a broken one."""
    paths = sorted(FOLDER.glob(f"*.{language}.md"))
    return {one.name: one for one in map(_read, paths)}


def _read(path: Path) -> Assignment:
    text = path.read_text(encoding="utf-8")
    title = _TITLE.search(text)
    criteria = tuple(
        Criterion(found[1], read_condition(found[2], text.count("\n", 0, found.start()) + 1))
        for found in _CRITERION.finditer(text)
    )
    unknown = [
        one.condition.measure for one in criteria if not links.is_measure(one.condition.measure)
    ]
    if not title or not criteria or unknown:
        raise ValueError(f"{path.name}: {unknown or 'a title and criteria expected'}")
    return Assignment(f"assignment-{path.name.split('-')[0]}", title[1], criteria)


def holds(criterion: Criterion, link: HandedLink) -> bool:
    """Tell whether a criterion holds for a link; ValueError if it cannot be measured."""
    condition = criterion.condition
    return compared(condition, links.value(condition.measure, link))
