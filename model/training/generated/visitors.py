"""Generated pairs of the kind that visitors type: words, greetings, numbers, names, machines.

Real pairs have few single words and few names except Tom, and a model trained only on these makes a
sentence of "Cat" and turns Berlin into Boston. Frames (`visitor_frames.tsv`, `slots.py`) are filled
from tables, and rules give the French. Sentences of the public test set are left out, and so are
sentences with a held-out word of the lexicon or with both words of NEVER_TOGETHER.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from model.training.data.pairs import NEVER_TOGETHER, Pair
from model.training.data.samples import is_visitor_sentence
from model.training.generated.frame import words
from model.training.generated.grammar import UnsureError, agreeing, capitalised, french_plural
from model.training.generated.lexicon import adjectives, nouns
from model.training.generated.numerals import english_number, french_number
from model.training.generated.slots import AGREEING, Word, draw, lexicon_words, pool
from model.training.generated.tables import rows

_SLOT = re.compile(r"\{(\w+?)(\d?)(?::(\w+))?\}")
_NOUNS = words(
    "person human animal food thing notion school computing place spot body clothing agent part"
)
_ALONE = words("day month colour verb word adjective country language job name town")


@dataclass(frozen=True)
class _Part:
    """A slot of a frame: its name, its kind, the form, and the text after it."""

    slot: str
    kind: str
    form: str
    after: str


@dataclass(frozen=True)
class _Frame:
    english: tuple[str, tuple[_Part, ...]]
    french: tuple[str, tuple[_Part, ...]]


def _cut(text: str) -> tuple[str, tuple[_Part, ...]]:
    start, *rest = _SLOT.split(text)
    parts = [
        _Part(rest[at] + rest[at + 1], rest[at], rest[at + 2] or "", rest[at + 3])
        for at in range(0, len(rest), 4)
    ]
    return start, tuple(parts)


@cache
def _frames() -> dict[str, tuple[_Frame, ...]]:
    """Read the frames of each group."""
    by_group: dict[str, list[_Frame]] = {}
    for row in rows("visitor_frames.tsv"):
        frame = _Frame(_cut(row["english"]), _cut(row["french"]))
        by_group.setdefault(row["group"], []).append(frame)
    return {group: tuple(frames) for group, frames in by_group.items()}


def filled(english: str, french: str, rng: random.Random) -> Pair:
    """Fill the slots of a frame; UnsureError where the drawn words have no sure French form."""
    return _filled(_Frame(_cut(english), _cut(french)), rng)


def _filled(frame: _Frame, rng: random.Random) -> Pair:
    drawn: dict[str, Word] = {}
    start, parts = frame.english
    english = [start]
    for part in parts:
        word = drawn.get(part.slot)
        while word is None:
            word = draw(part.kind, rng)
            if any(word.english == other.english for other in drawn.values()):
                word = None
        drawn[part.slot] = word
        english.append(word.in_english(part.form) + part.after)
    start, parts = frame.french
    french = [start, *(_french(part, drawn) + part.after for part in parts)]
    return Pair(capitalised("".join(english)), capitalised("".join(french)))


def _french(part: _Part, drawn: dict[str, Word]) -> str:
    agrees_with = drawn.get(part.form)
    word = drawn.get(part.slot)
    if word is None:
        if agrees_with is None:
            raise ValueError(f"no {part.slot} in the English frame")
        return agreeing(*AGREEING[part.slot], agrees_with.gender, agrees_with.plural)
    return word.agreeing(agrees_with) if agrees_with else word.in_french(part.form)


def _sentence(rng: random.Random) -> Pair:
    groups = ("people", "learning", "machines", "things", "letters")
    group = rng.choices(groups, (5, 4, 4, 4, 3))[0]
    return _filled(rng.choice(_frames()[group]), rng)


@cache
def _greetings() -> tuple[Pair, ...]:
    return tuple(Pair(row["english"], row["french"]) for row in rows("greetings.tsv"))


def _greeting(rng: random.Random) -> Pair:
    return rng.choice(_greetings())


def _joined(rng: random.Random) -> Pair:
    """Join two or three sentences; a greeting can only come first."""
    sentences = [_sentence(rng) for _ in range(rng.choice((2, 2, 3)))]
    if rng.random() < 0.3:
        sentences[0] = rng.choice([pair for pair in _greetings() if pair.source[-1] in ".!?"])
    return Pair(
        " ".join(pair.source for pair in sentences), " ".join(pair.target for pair in sentences)
    )


def _styled(english: str, french: str, rng: random.Random) -> Pair:
    """Write a word or phrase with or without a capital, and with or without a mark."""
    if rng.random() < 0.55:
        english, french = capitalised(english), capitalised(french)
    mark = rng.choices(("", ".", "!", "?"), (55, 33, 8, 4))[0]
    between = " " if mark in ("!", "?") else ""
    return Pair(english + mark, french + between + mark)


_NOUN_FORMS: tuple[tuple[str, str, str, str, int], ...] = (
    # words before the English noun, its form, words before the French noun, its form, how often
    ("", "", "", "", 24),
    ("", "a", "", "un", 16),
    ("the ", "", "", "le", 16),
    ("my ", "", "", "mon", 5),
    ("your ", "", "", "ton", 3),
    ("this ", "", "", "ce", 4),
    ("", "s", "", "s", 7),
    ("the ", "s", "", "les", 4),
    ("two ", "s", "deux ", "s", 3),
    ("it is ", "a", "c'est ", "un", 3),
    ("where is the ", "", "où est ", "le", 2),
    ("with the ", "", "avec ", "le", 3),
    ("to the ", "", "", "au", 2),
    ("of the ", "", "", "du", 2),
)


def _noun(rng: random.Random) -> Pair:
    choice = lexicon_words() if rng.random() < 0.35 else pool(rng.choice(_NOUNS))
    word = rng.choice(choice)
    if rng.random() < 0.12:
        return _coloured(word, rng)
    before, form, before_french, form_french, _ = rng.choices(
        _NOUN_FORMS, [form[-1] for form in _NOUN_FORMS]
    )[0]
    return _styled(before + word.in_english(form), before_french + word.in_french(form_french), rng)


def _coloured(word: Word, rng: random.Random) -> Pair:
    colour = rng.choice(pool("colour"))
    english = Word(f"{colour.english} {word.english}", "")
    the = rng.random() < 0.5
    english_phrase = f"the {english.english}" if the else english.in_english("a")
    french = f"{word.in_french('le' if the else 'un')} {colour.agreeing(word)}"
    return _styled(english_phrase, french, rng)


def _mass(rng: random.Random) -> Pair:
    word = rng.choice(pool(rng.choice(("mass", "mass", "subject"))))
    if word.kind == "subject":
        return _styled(word.english, word.french, rng)
    before, form = rng.choice((("", ""), ("some ", "du"), ("the ", "le"), ("no ", "de")))
    french = word.in_french(form)
    return _styled(before + word.english, f"pas {french}" if before == "no " else french, rng)


def _alone(rng: random.Random) -> Pair:
    """Write a single word that is not a common noun."""
    kind = rng.choice(_ALONE)
    word = rng.choice(pool(kind))
    if kind == "verb" and rng.random() < 0.6:
        return _styled(f"to {word.english}", word.french, rng)
    if kind == "country":
        return _styled(word.english, word.french, rng)
    if kind in ("adjective", "colour") and rng.random() < 0.4:
        very = ("very ", "très ") if rng.random() < 0.3 and kind == "adjective" else ("", "")
        return _styled(f"it is {very[0]}{word.english}", f"c'est {very[1]}{word.french}", rng)
    if kind == "job" and rng.random() < 0.5:
        return _styled(word.in_english("a"), word.in_french("un"), rng)
    return _styled(word.english, word.french, rng)


def _number(rng: random.Random) -> Pair:
    number = rng.randint(0, rng.choice((20, 99, 99, 999, 9999)))
    draws = rng.random()
    if draws < 0.3:
        return _styled(english_number(number), french_number(number), rng)
    if draws < 0.55:
        kind = rng.choice(("number", "big", "year", "time", "hour", "date", "sum"))
        word = draw(kind, rng)
        return _styled(word.english, word.french, rng)
    noun = rng.choice(pool(rng.choice(("animal", "food", "school", "thing", "notion"))))
    number += 2
    if draws < 0.8:
        count, compte = english_number(number), french_number(number)
        if number % 10 == 1 and noun.gender == "f" and number % 100 not in (11, 71, 91):
            compte += "e"
    else:
        count = compte = str(number) if number < 1000 else str(number % 1000 + 2)
    return _styled(f"{count} {noun.in_english('s')}", f"{compte} {french_plural(noun.french)}", rng)


_KINDS: tuple[tuple[Callable[[random.Random], Pair], int], ...] = (
    (_noun, 28),
    (_mass, 3),
    (_alone, 9),
    (_greeting, 14),
    (_number, 11),
    (_sentence, 42),
    (_joined, 8),
)


@cache
def _left_out() -> frozenset[str]:
    """List the held-out words of the lexicon, singular and plural."""
    held = [word.english for word in (*nouns(), *adjectives().values()) if word.held]
    return frozenset((*held, *(f"{word}s" for word in held), "mice", "pies", "dresses"))


def visitor_pairs(count: int, seed: int) -> list[Pair]:
    """Generate `count` pairs in random order; short pairs can be repeated."""
    rng = random.Random(seed)
    kinds, weights = zip(*_KINDS, strict=True)
    pairs: list[Pair] = []
    while len(pairs) < count:
        try:
            pair = rng.choices(kinds, weights)[0](rng)
        except UnsureError:
            continue
        words = set(re.findall(r"\w+", pair.source.lower()))
        apart = not words & _left_out() and not words >= NEVER_TOGETHER
        if apart and not is_visitor_sentence(pair.source):
            pairs.append(pair)
    return pairs
