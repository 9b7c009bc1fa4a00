"""The format of a lesson: a Markdown file with scenes, read into frozen dataclasses.

`viz/lessons/README.md` describes the format.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

OPERATORS = ("has", "lacks", "is not", "is", ">", "<")
OTHERWISE = "otherwise"
MODEL, MINUTES = "Model:", "Minutes:"
"""The beginnings of lines above the first scene that do not belong to the lead."""

TRANSLATION, WEIGHTS = "translation", "weights"
_CONDITION = re.compile(rf"(.+?)\s+({'|'.join(OPERATORS)})\s+(.+)")
_FILL = re.compile(r"\{\{([^{}]*)\}\}")  # single braces are for formulas
_THEN = re.compile(r"Then(?: if (.+))?")
_NUMBERED = re.compile(r"^\d+-")  # it sorts the files, and is not a part of the name


class LessonError(ValueError):
    """A fault in a lesson, with its file and its line."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        """Write the message as compilers do: file, line, problem."""
        super().__init__(f"{file}:{line}: {problem}")


@dataclass(frozen=True)
class Condition:
    """A condition as it is written: a measure, an operator, a value, and its line in the file."""

    measure: str
    operator: str
    value: str
    line: int

    def __str__(self) -> str:
        """Return the condition as it is written in the file."""
        return f"{self.measure} {self.operator} {self.value}"


@dataclass(frozen=True)
class Choice:
    """An answer, and the condition for it to be right; None if it is right when no other is."""

    text: str
    condition: Condition | None


@dataclass(frozen=True)
class Said:
    """A text that follows an answer, and the condition for it; None for the last such text."""

    text: str
    condition: Condition | None


@dataclass(frozen=True)
class Question:
    """A question and its choices; after an answer, the first text of `then` that fits is shown."""

    text: str
    choices: tuple[Choice, ...]
    then: tuple[Said, ...]


@dataclass(frozen=True)
class Scene:
    """A state of the app and the text about it, in which measures are still to be filled in.

    `page` and `parameters` make up its link; `needs` names another model that it needs, if any. A
    question covers the whole picture; if `covers` says so, only the translation, or the picture's
    weights, too. `paper` is said instead of `text` where it is printed.
    """

    title: str
    page: str
    parameters: tuple[tuple[str, str], ...]
    text: str
    question: Question | None
    expectations: tuple[Condition, ...]
    line: int
    needs: str = ""
    covers: str = ""
    paper: str = ""

    @property
    def measures(self) -> set[str]:
        """Return all measures that the scene asks for, except those in its link."""
        texts, conditions = [self.text, self.paper], list(self.expectations)
        if asked := self.question:
            parts = (*asked.choices, *asked.then)
            texts += [asked.text, *(part.text for part in parts)]
            conditions += [part.condition for part in parts if part.condition]
        named = {measure for text in texts for measure in measures_in(text)}
        return named | {condition.measure for condition in conditions}


@dataclass(frozen=True)
class Lesson:
    """A lesson: its title, one sentence about it, its scenes, and the model it is made for, if any.

    `minutes` is the time that it takes, 0 if the file does not say.
    """

    name: str
    file: str
    title: str
    lead: str
    scenes: tuple[Scene, ...]
    model: str = ""
    minutes: int = 0


@dataclass(frozen=True)
class Known:
    """What a lesson may name: pages, as they are called in links, and measures."""

    pages: frozenset[str]
    is_measure: Callable[[str], bool]


@dataclass
class _Draft:
    """A scene whose lines are still being read."""

    title: str
    line: int
    link: str = ""
    text: list[str] = field(default_factory=list)
    question: str = ""
    asked_at: int = 0
    choices: list[tuple[str, int]] = field(default_factory=list)
    then: list[tuple[str, int, list[str]]] = field(default_factory=list)
    expectations: list[tuple[str, int]] = field(default_factory=list)
    needs: str = ""
    covers: str = ""
    paper: str = ""


def name_of(file: str) -> str:
    """Return the name of the lesson in a file: `masks` for `3-masks.en.md`, without the number."""
    return _NUMBERED.sub("", file.split(".")[0])


def measures_in(text: str) -> Iterator[str]:
    """Yield the measures that a text asks for in double braces."""
    return (match.group(1).strip() for match in _FILL.finditer(text))


def fill(text: str, value: Callable[[str], str]) -> str:
    """Replace every measure in double braces with its value."""
    return _FILL.sub(lambda match: value(match.group(1).strip()), text)


def parse(text: str, file: str, known: Known) -> Lesson:
    """Read a lesson; raise LessonError, a ValueError, with the fault and its line."""
    return _Parser(file, known).lesson(text)


class _Parser:
    def __init__(self, file: str, known: Known) -> None:
        self._file, self._known = file, known

    def lesson(self, text: str) -> Lesson:
        title, lead, drafts = self._split(text)
        if not title:
            raise self._error(1, 'a lesson begins with its title: "# Title"')
        if not drafts:
            raise self._error(text.count("\n") + 1, 'no scene: a scene begins with "## Title"')
        scenes = tuple(self._scene(draft) for draft in drafts)
        model, minutes = (_said(lead, name) for name in (MODEL, MINUTES))
        if minutes and not re.fullmatch(r"[1-9]\d{0,2}", minutes):
            raise self._error(1, f"minutes are a whole number, not {minutes!r}")
        about = " ".join(line for line in lead if not line.startswith((MODEL, MINUTES)))
        name = name_of(self._file)
        return Lesson(name, self._file, title, about, scenes, model, int(minutes or 0))

    def _error(self, line: int, problem: str) -> LessonError:
        return LessonError(self._file, line, problem)

    def _split(self, text: str) -> tuple[str, list[str], list[_Draft]]:
        """Divide the lines of a file into its title, its lead, and the drafts of its scenes."""
        title, lead, drafts = "", [], []
        for number, raw in enumerate(text.splitlines(), start=1):
            line = raw.rstrip()
            if line.startswith("# "):
                if title or drafts:
                    raise self._error(number, "a second title; a scene begins with ##")
                title = line[2:].strip()
            elif line.startswith("## "):
                drafts.append(_Draft(line[3:].strip(), number))
            elif drafts:
                self._take(drafts[-1], line, number)
            elif line:
                lead.append(line)
        return title, lead, drafts

    def _take(self, draft: _Draft, line: str, number: int) -> None:
        """Add a line to the part of the scene that it belongs to."""
        for measure in measures_in(line):
            self._check_measure(measure, number)
        name, colon, rest = line.partition(":")
        match name if colon else "":
            case "Link" if draft.link:
                raise self._error(number, "a second link in one scene")
            case "Link":
                draft.link, draft.line = rest.strip(), number
            case "Question" if draft.question:
                raise self._error(number, "a second question in one scene")
            case "Question":
                draft.question, draft.asked_at = rest.strip(), number
            case _ if _THEN.fullmatch(name) and not draft.choices:
                raise self._error(number, "Then comes after the choices of a question")
            case "Then" if draft.then and not draft.then[-1][0]:
                raise self._error(number, "a second Then; those before it are Then if CONDITION")
            case _ if begun := _THEN.fullmatch(name):
                draft.then.append((begun[1] or "", number, [rest.strip()]))
            case "Needs":
                draft.needs = rest.strip()
            case "Paper" if draft.paper:
                raise self._error(number, "a second Paper in one scene")
            case "Paper":
                draft.paper = rest.strip()
            case "Covers" if rest.strip() not in (TRANSLATION, WEIGHTS):
                raise self._error(number, f"Covers: {TRANSLATION} or {WEIGHTS} can be said")
            case "Covers":
                draft.covers = rest.strip()
            case "Expect":
                draft.expectations.append((rest.strip(), number))
            case _ if line.startswith("- ") and draft.question and not draft.then:
                draft.choices.append((line[2:], number))
            case _:
                (draft.then[-1][2] if draft.then else draft.text).append(line)

    def _scene(self, draft: _Draft) -> Scene:
        if not draft.link:
            raise self._error(draft.line, f'the scene "{draft.title}" has no link')
        parts = urlsplit(draft.link)
        page = parts.path.strip("/").split("/")[-1]
        if page not in self._known.pages:
            pages = ", ".join(sorted(self._known.pages))
            raise self._error(draft.line, f"no page is called {page!r}; there are {pages}")
        text = "\n".join(draft.text).strip()
        if not text:
            raise self._error(draft.line, f'the scene "{draft.title}" says nothing')
        return Scene(
            draft.title,
            page,
            tuple(parse_qsl(parts.query, keep_blank_values=True)),
            text,
            self._question(draft),
            tuple(self._condition(*each) for each in draft.expectations),
            draft.line,
            draft.needs,
            draft.covers,
            draft.paper,
        )

    def _question(self, draft: _Draft) -> Question | None:
        if not draft.question:
            return None
        if len(draft.choices) < 2:
            raise self._error(draft.asked_at, "a question needs two choices or more")
        choices = tuple(self._choice(*each) for each in draft.choices)
        spare = [number for number, choice in enumerate(choices) if choice.condition is None]
        if spare not in ([], [len(choices) - 1]):
            raise self._error(draft.asked_at, "only the last choice may be the right one otherwise")
        then = tuple(
            Said("\n".join(lines).strip(), self._condition(text, line) if text else None)
            for text, line, lines in draft.then
        )
        return Question(draft.question, choices, then)

    def _choice(self, text: str, line: int) -> Choice:
        shown, bar, condition = text.rpartition("|")
        if not bar or not shown.strip():
            raise self._error(line, 'a choice is written "- what is shown | when it is right"')
        if condition.strip() == OTHERWISE:
            return Choice(shown.strip(), None)
        return Choice(shown.strip(), self._condition(condition, line))

    def _condition(self, text: str, line: int) -> Condition:
        try:
            condition = read_condition(text, line)
        except ValueError as error:
            raise self._error(line, str(error)) from None
        self._check_measure(condition.measure, line)
        return condition

    def _check_measure(self, measure: str, line: int) -> None:
        if not self._known.is_measure(measure):
            raise self._error(line, f"no measure is called {measure!r}")


def _said(lead: list[str], name: str) -> str:
    """Return what the first line that begins with a name says; "" if there is none."""
    return next((line.removeprefix(name).strip() for line in lead if line.startswith(name)), "")


def read_condition(text: str, line: int) -> Condition:
    """Read a condition such as "changed words > 0"; raise ValueError if it is not one."""
    parts = _CONDITION.fullmatch(text.strip())
    if not parts:
        operators = ", ".join(OPERATORS)
        raise ValueError(f"not a condition: {text.strip()!r}; one of {operators} is used")
    measure, operator, value = parts.groups()
    if operator in (">", "<"):
        number(value)
    return Condition(measure, operator, value, line)


def number(text: str) -> float:
    """Read a number such as "0.9", "50 %" or "1e-5"; raise ValueError if it is not one."""
    try:
        share = text.removesuffix("%").strip()
        return float(share) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise ValueError(f"not a number: {text!r}") from None
