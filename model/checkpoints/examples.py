"""Examples for a model: examples.json in its folder, which also names its languages.

All sentences that a page shows before a visitor types come from this file: the sentences of the
menu, the story of the first page, pairs to compare, words with two meanings. So a model for other
languages brings its own sentences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model.checkpoints.files import read_json

EXAMPLES = "examples.json"
LONGEST, MOST = 400, 60
"""Limits: characters of a text, and entries of a list."""

_CODE = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True)
class Example:
    """A sentence to try, and its human translation, or "".

    `shows` names the phenomenon and `look` says what to look at. `link` leads to it: a page with
    its parameters, as in "attention?kind=cross&layer=5&head=3&step=6". `expect` are the conditions,
    in the language of the lessons, under which `look` is true.
    """

    text: str
    reference: str = ""
    shows: str = ""
    look: str = ""
    link: str = ""
    expect: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoryPair:
    """Two sentences that differ in one word, which decides one word of the translation.

    `asks` is the word of the source that leaves the choice open, such as "it", or "". The first
    word of `source` decides in the first sentence, the second word in the second sentence: "animal"
    and "street". They may be the differing words themselves. `target` are the same words in the
    translation; "" where they do not come before the choice.
    """

    first: str
    second: str
    asks: str
    source: tuple[str, str]
    target: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class NamedPair:
    """Two sentences to compare, and a short name for their button."""

    name: str
    first: str
    second: str


@dataclass(frozen=True)
class Meanings:
    """A word, a sentence for each of its two meanings, and each meaning's translations."""

    word: str
    sentences: tuple[str, str]
    target: tuple[str, str]

    def told_apart(self, translations: Sequence[str]) -> tuple[bool, bool]:
        """Return, for each sentence, True if its translation has the word of its meaning.

        A word counts only at its beginning: "part" does not contain "art".
        """
        first, second = (
            re.search(rf"(?<!\w){re.escape(word)}", translation, re.IGNORECASE) is not None
            for word, translation in zip(self.target, translations, strict=True)
        )
        return first, second


@dataclass(frozen=True)
class WeakSpot:
    """A known weakness of the model, and a sentence that shows it."""

    what: str
    text: str


@dataclass(frozen=True)
class Examples:
    """The contents of examples.json.

    `source` and `target` are language codes such as "en". `rivals` are pairs of target words that
    compete for the same place: il and elle. `typed` is a target word that a visitor might type
    first.
    """

    source: str
    target: str
    sentences: tuple[Example, ...]
    story: StoryPair | None = None
    pairs: tuple[NamedPair, ...] = ()
    meanings: tuple[Meanings, ...] = ()
    rivals: tuple[tuple[str, str], ...] = ()
    typed: str = ""
    weak_spots: tuple[WeakSpot, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the sentences of the menu; the first sentence fills the box at the start."""
        return tuple(example.text for example in self.sentences)

    def rival(self, word: str) -> str | None:
        """Return the word that could take the place of `word`, or None."""
        rivals = {key: other for pair in self.rivals for key, other in (pair, pair[::-1])}
        return rivals.get(word)


def read_examples(folder: Path) -> Examples | None:
    """Read the examples of a model's folder; None without the file.

    ValueError names the file and the fault in it.
    """
    path = folder / EXAMPLES
    if not path.exists():
        return None
    try:
        return _examples(_Part("the file", read_json(path)))
    except ValueError as error:
        raise ValueError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error


class _Part:
    """An object of the file, read field by field; `end` refuses fields that were not read."""

    def __init__(self, where: str, value: object) -> None:
        if not isinstance(value, dict):
            raise ValueError(f"{where}: an object expected, found {type(value).__name__}")
        self._where, self._values, self._read = where, value, set[str]()

    def _take(self, name: str) -> object:
        self._read.add(name)
        return self._values.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; it is required unless a default is given."""
        return _text(f"{self._where}, {name}", self._take(name), default)

    def two(self, name: str, default: str | None = None) -> tuple[str, str]:
        """Return two texts."""
        values = self._take(name)
        if values is None and default is not None:
            return default, default
        return _two(f"{self._where}, {name}", values)

    def entries(self, name: str) -> list[tuple[str, object]]:
        """Return the entries of a list, each with its place; a missing list has no entries."""
        values = self._take(name)
        where = f"{self._where}, {name}"
        if values is None:
            return []
        if not isinstance(values, list) or len(values) > MOST:
            raise ValueError(f"{where}: a list of at most {MOST} entries expected")
        return [(f"{where} {number}", value) for number, value in enumerate(values, 1)]

    def parts(self, name: str) -> "list[_Part]":
        """Return the objects of a list."""
        return [_Part(where, value) for where, value in self.entries(name)]

    def part(self, name: str) -> "_Part | None":
        """Return an object; None when it is missing."""
        value = self._take(name)
        return None if value is None else _Part(f"{self._where}, {name}", value)

    def end(self) -> None:
        """Refuse a field that was not read: it is misspelt."""
        for name in self._values.keys() - self._read:
            read = ", ".join(sorted(self._read))
            raise ValueError(f"{self._where}: {name!r} is not known; known are: {read}")


def _text(where: str, value: object, default: str | None = None) -> str:
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
        raise ValueError(f"{where}: a text of 1 to {LONGEST} characters expected, found {value!r}")
    return value


def _two(where: str, value: object) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{where}: two texts expected, found {value!r}")
    return _text(where, value[0]), _text(where, value[1])


def _examples(file: _Part) -> Examples:
    sentences = tuple(_example(part) for part in file.parts("sentences"))
    if not sentences:
        raise ValueError("the file, sentences: one or more expected, found none")
    story = file.part("story")
    meanings = tuple(_meanings(part) for part in file.parts("meanings"))
    words = [meaning.word for meaning in meanings]
    for word in words:
        if words.count(word) > 1:
            raise ValueError(f"the file, meanings: the word {word!r} stands there twice")
    examples = Examples(
        *(_code(file, name) for name in ("source", "target")),
        sentences=sentences,
        story=_story(story) if story else None,
        pairs=tuple(_pair(part) for part in file.parts("pairs")),
        meanings=meanings,
        rivals=tuple(_two(where, value) for where, value in file.entries("rivals")),
        typed=file.text("typed", ""),
        weak_spots=tuple(_weak_spot(part) for part in file.parts("weak_spots")),
    )
    file.end()
    return examples


def _code(file: _Part, name: str) -> str:
    code = file.text(name)
    if not _CODE.fullmatch(code):
        raise ValueError(f'the file, {name}: a code such as "en" expected, found {code!r}')
    return code


def _example(part: _Part) -> Example:
    example = Example(
        part.text("text"),
        *(part.text(name, "") for name in ("reference", "shows", "look", "link")),
        expect=tuple(_text(where, value) for where, value in part.entries("expect")),
    )
    part.end()
    return example


def _story(part: _Part) -> StoryPair:
    story = StoryPair(
        *(part.text(name) for name in ("first", "second")),
        asks=part.text("asks", ""),
        source=part.two("source"),
        target=part.two("target", ""),
    )
    part.end()
    return story


def _pair(part: _Part) -> NamedPair:
    pair = NamedPair(*(part.text(name) for name in ("name", "first", "second")))
    part.end()
    return pair


def _meanings(part: _Part) -> Meanings:
    meanings = Meanings(part.text("word"), part.two("sentences"), part.two("target"))
    part.end()
    return meanings


def _weak_spot(part: _Part) -> WeakSpot:
    weak_spot = WeakSpot(part.text("what"), part.text("text"))
    part.end()
    return weak_spot
