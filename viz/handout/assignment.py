"""Assignments: Markdown files in `docs/assignments`, with the criteria for grading them."""

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
    """What an assignment asks for, in words and as a condition; it is worth one point."""

    words: str
    condition: Condition


@dataclass(frozen=True)
class Assignment:
    """An assignment; its name is, for example, `assignment-2`."""

    name: str
    title: str
    criteria: tuple[Criterion, ...]


def assignments(language: str) -> Mapping[str, Assignment]:
    """Return all assignments of a language by their names; ValueError if one is broken."""
    paths = sorted(FOLDER.glob(f"*.{language}.md"))
    return {assignment.name: assignment for assignment in map(_read, paths)}


def _read(path: Path) -> Assignment:
    markdown = path.read_text(encoding="utf-8")
    title = _TITLE.search(markdown)
    criteria = tuple(
        Criterion(line[1], read_condition(line[2], markdown.count("\n", 0, line.start()) + 1))
        for line in _CRITERION.finditer(markdown)
    )
    measures = [criterion.condition.measure for criterion in criteria]
    unknown = [measure for measure in measures if not links.is_measure(measure)]
    if not title or not criteria or unknown:
        raise ValueError(f"{path.name}: {unknown or 'a title and criteria expected'}")
    return Assignment(f"assignment-{path.name.split('-')[0]}", title[1], criteria)


def holds(criterion: Criterion, link: HandedLink) -> bool:
    """Tell whether a link meets a criterion; ValueError if that cannot be measured."""
    condition = criterion.condition
    return compared(condition, links.value(condition.measure, link))
