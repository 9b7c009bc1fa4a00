"""The words for the slots of the visitors' frames, and the forms that frames ask for.

A frame writes {slot} or {slot:form}: {animal:a} is "a cat" in English, {animal:le} "le chat" in
French. {colour:animal} is the colour that agrees with the animal, and {né:name} any word of
`AGREEING`. A digit distinguishes two of a kind: {town} and {town2}.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from model.training.generated.copied import COPIED
from model.training.generated.frame import words
from model.training.generated.grammar import (
    a_or_an,
    agreeing,
    before_town,
    begins_with_vowel,
    elided,
    english_plural,
    french_plural,
)
from model.training.generated.lexicon import nouns
from model.training.generated.numerals import english_number, french_number, grouped
from model.training.generated.tables import rows

AGREEING = {
    "né": ("né", "née"),
    "cher": ("Cher", "Chère"),
    "neuf": ("neuf", "neuve"),
    "amusant": ("amusant", "amusante"),
    "fermé": ("fermé", "fermée"),
    "entraîné": ("entraîné", "entraînée"),
    "important": ("important", "importante"),
    "cassé": ("cassé", "cassée"),
    "grand": ("grand", "grande"),
    "préféré": ("préféré", "préférée"),
    "court": ("court", "courte"),
    "quel": ("quel", "quelle"),
    "le": ("le", "la"),
}
_OWNED = {"mon": "ma", "ton": "ta", "son": "sa"}


@dataclass(frozen=True)
class Word:
    """A word or name in both languages; adjectives have a feminine form too."""

    english: str
    french: str
    gender: str = "m"
    plural: bool = False
    feminine: str = ""
    kind: str = ""

    def in_english(self, form: str) -> str:
        """Return the form for an English frame; form "" is the word alone."""
        if form == "a":
            return a_or_an(self.english)
        if form == "s":
            return english_plural(self.english)
        if form == "his":
            return "his" if self.gender == "m" else "her"
        if form == "is":
            return "is"
        return self.english

    def in_french(self, form: str) -> str:
        """Return the form for a French frame; UnsureError where no rule gives it."""
        return _FRENCH[form](self) if form else self.french

    def agreeing(self, with_: Word) -> str:
        """Return the form of an adjective, nationality or job that agrees with a word."""
        return agreeing(self.french, self.feminine or self.french, with_.gender, with_.plural)


def _the(word: Word) -> str:
    if word.plural:
        return f"les {word.french}"
    if begins_with_vowel(word.french):
        return f"l'{word.french}"
    return f"{'le' if word.gender == 'm' else 'la'} {word.french}"


def _of_the(word: Word) -> str:
    return _contracted("de", _the(word))


def _to_the(word: Word) -> str:
    return _contracted("à", _the(word))


def _contracted(preposition: str, phrase: str) -> str:
    for article, short in (("le ", {"de": "du", "à": "au"}), ("les ", {"de": "des", "à": "aux"})):
        if phrase.startswith(article):
            return f"{short[preposition]} {phrase[len(article) :]}"
    return f"{preposition} {phrase}"


def _a(word: Word) -> str:
    if word.plural:
        return f"des {word.french}"
    return f"{'un' if word.gender == 'm' else 'une'} {word.french}"


def _of(word: Word) -> str:
    if word.kind in ("town", "surname", "name", BRAND):
        return before_town("de", word.french)
    if word.kind == "country":
        bare = word.gender == "f" and not word.plural
        return _of(Word("", word.french)) if bare else _of_the(word)
    return f"d'{word.french}" if begins_with_vowel(word.french) else f"de {word.french}"


def _in_country(word: Word) -> str:
    if word.plural:
        return f"aux {word.french}"
    if word.gender == "f" or begins_with_vowel(word.french):
        return f"en {word.french}"
    return f"au {word.french}"


def _this(word: Word) -> str:
    if word.gender == "f":
        return f"cette {word.french}"
    return f"{'cet' if begins_with_vowel(word.french) else 'ce'} {word.french}"


def _owned(owner: str) -> Callable[[Word], str]:
    def written(word: Word) -> str:
        if word.plural:
            return f"{owner[0]}es {word.french}"
        feminine = word.gender == "f" and not begins_with_vowel(word.french)
        return f"{_OWNED[owner] if feminine else owner} {word.french}"

    return written


_FRENCH: dict[str, Callable[[Word], str]] = {
    "le": _the,
    "du": _of_the,
    "au": _to_the,
    "un": _a,
    "de": _of,
    "à": lambda word: before_town("à", word.french),
    "en": _in_country,
    "ce": _this,
    "mon": _owned("mon"),
    "ton": _owned("ton"),
    "son": _owned("son"),
    "dun": lambda word: f"d'{_a(word)}",
    "quun": lambda word: f"qu'{_a(word)}",
    "que": lambda word: elided("que", word.french),
    "vers": lambda word: f"vers {_the(word)}",
    "s": lambda word: french_plural(word.french),
    "les": lambda word: f"les {french_plural(word.french)}",
    "des": lambda word: f"des {french_plural(word.french)}",
    "est": lambda word: "sont" if word.plural else "est",
    "nest": lambda word: "ne sont" if word.plural else "n'est",
    "m": lambda word: word.french,
    "f": lambda word: word.feminine or word.french,
}


NAMES = ("name", "boy", "girl", "surname")

BRAND = "brand"
"""The kind of companies and programs, whose names are the same in both languages."""

INVENTED = 0.5
"""The share of invented names and brands: names in tables can be learned by heart."""

LENGTHS = range(3, 12)
"""The numbers of letters of an invented name."""


@cache
def pool(kind: str) -> tuple[Word, ...]:
    """List the words of a kind, in table order."""
    read = _READERS.get(kind)
    return read() if read else tuple(word for word in _words() if word.kind == kind)


def draw(kind: str, rng: random.Random) -> Word:
    """Draw a word, name, number or time for a slot; half of the names are invented."""
    if kind in (*NAMES, BRAND) and rng.random() < INVENTED:
        return _invented(kind, rng)
    if kind in COPIED:
        return Word(*COPIED[kind](rng), kind=kind)
    return _NUMBERS[kind](rng) if kind in _NUMBERS else rng.choice(pool(kind))


def _invented(kind: str, rng: random.Random) -> Word:
    """Invent a brand or a name; four names in five are joined from known names."""
    if kind == BRAND:
        name = rng.choice((capitals, capitals, camel_case, foreign))(rng)
        return Word(name, name, kind=BRAND)
    if rng.random() >= FOREIGN:
        return _joined(kind, rng)
    like = rng.choice(pool(kind))
    while len(name := foreign(rng)) not in LENGTHS:
        pass
    return Word(name, name, like.gender, kind=like.kind)


FOREIGN = 0.2
"""The share of invented names that are foreign to both languages: Nyiragongo, Shimonoseki."""

_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ONSETS = words("b ch d f g h j k kh l m n ng ny p r s sh t tr v w y z zh")
_NUCLEI = words("a a a e i i o o u ai ou ia")


def capitals(rng: random.Random) -> str:
    """Draw two to five capitals, like a company's name: IBM."""
    return "".join(rng.choices(_CAPITALS, k=rng.choice((2, 3, 3, 3, 4, 4, 5))))


def camel_case(rng: random.Random) -> str:
    """Join two capitalised beginnings, or one of them and some capitals: YouTube, ChatGPT."""
    first = foreign(rng)[: rng.randint(2, 5)]
    return first + (capitals(rng)[:3] if rng.random() < 0.4 else foreign(rng)[: rng.randint(2, 5)])


def foreign(rng: random.Random) -> str:
    """Draw two to five open syllables, sometimes with an n at the end."""
    count = rng.choice((2, 2, 3, 3, 4, 5))
    syllables = "".join(rng.choice(_ONSETS) + rng.choice(_NUCLEI) for _ in range(count))
    return (syllables + ("n" if rng.random() < 0.25 else "")).capitalize()


def _joined(kind: str, rng: random.Random) -> Word:
    """Join the beginning of a name to the end of another of the same kind: Juli(a), (H)elga."""
    while True:
        first, second = rng.choices(pool(kind), k=2)
        head = first.english[: rng.randint(1, max(1, len(first.english) - 2))]
        tail = second.english[rng.randint(1, max(1, len(second.english) - 2)) :]
        if len(name := head + tail) in LENGTHS and name.isalpha() and name.istitle():
            return Word(name, name, second.gender, kind=second.kind)


@cache
def _words() -> tuple[Word, ...]:
    words = [
        Word(noun.english, noun.french, noun.gender, kind="animal")
        for noun in nouns()
        if not noun.held and "animal" in noun.classes
    ]
    for row in (*rows("words.tsv"), *rows("slot_words.tsv")):
        noun = row["form"] in ("m", "f", "mp", "fp")
        words.append(
            Word(
                row["english"],
                row["french"],
                row["form"][0] if noun else "m",
                plural=noun and row["form"].endswith("p"),
                feminine="" if noun else row["form"],
                kind=row["kind"],
            )
        )
    return tuple(words)


@cache
def lexicon_words() -> tuple[Word, ...]:
    """List the nouns of the lexicon that training may show, with their French gender."""
    return tuple(
        Word(noun.english, noun.french, noun.gender, kind="noun")
        for noun in nouns()
        if not noun.held and noun.english != "sheep"
    )


def _first_names() -> tuple[Word, ...]:
    return tuple(
        Word(row["name"], row["name"], row["gender"], kind="name")
        for row in rows("first_names.tsv")
    )


def _table(name: str, kind: str) -> tuple[Word, ...]:
    return tuple(
        Word(
            row["english"],
            row["french"],
            row.get("gender", "m"),
            plural=row.get("number") == "plural",
            kind=kind,
        )
        for row in rows(name)
    )


_READERS: dict[str, Callable[[], tuple[Word, ...]]] = {
    "name": _first_names,
    "boy": lambda: tuple(name for name in pool("name") if name.gender == "m"),
    "girl": lambda: tuple(name for name in pool("name") if name.gender == "f"),
    "surname": lambda: tuple(
        Word(row["name"], row["name"], kind="surname") for row in rows("surnames.tsv")
    ),
    BRAND: lambda: tuple(Word(row["name"], row["name"], kind=BRAND) for row in rows("brands.tsv")),
    "town": lambda: _table("towns.tsv", "town"),
    "country": lambda: _table("countries.tsv", "country"),
    "language": lambda: _table("languages.tsv", "language"),
    "nationality": lambda: tuple(
        Word(row["english"], row["masculine"], feminine=row["feminine"])
        for row in rows("languages.tsv")
        if row["feminine"]
    ),
    "job": lambda: tuple(
        Word(row["english"], row["masculine"], feminine=row["feminine"]) for row in rows("jobs.tsv")
    ),
}


def _same(text: str) -> Word:
    return Word(text, text)


def _spelt(low: int, high: int) -> Callable[[random.Random], Word]:
    def drawn(rng: random.Random) -> Word:
        number = rng.randint(low, high)
        if number % 10 == 1 and number % 100 not in (11, 71, 91):
            number += 1  # vingt et un ans, but vingt et une poires
        return Word(english_number(number), french_number(number))

    return drawn


def _digits(low: int, high: int) -> Callable[[random.Random], Word]:
    return lambda rng: _same(str(rng.randint(low, high)))


def _number(rng: random.Random) -> Word:
    return _same(str(rng.randint(2, rng.choice((20, 99, 999)))))


def _big(rng: random.Random) -> Word:
    number = rng.randint(1001, rng.choice((2999, 9999, 99_999, 999_999)))
    return Word(grouped(number, ","), grouped(number, " "))


def _time(rng: random.Random) -> Word:
    hour = rng.randint(2, 12) if rng.random() < 0.8 else rng.randint(13, 23)
    minute = rng.choice((0, 15, 30, 45)) if rng.random() < 0.5 else rng.randint(1, 59)
    return Word(f"{hour}:{minute:02}", f"{hour} h {minute:02}")


def _hour(rng: random.Random) -> Word:
    hour = rng.randint(2, 11)
    if rng.random() < 0.5:
        return Word(f"{hour} o'clock", f"{hour} heures")
    return Word(f"{english_number(hour)} o'clock", f"{french_number(hour)} heures")


def _date(rng: random.Random) -> Word:
    month = rng.choice(pool("month"))
    day = rng.randint(1, 28)
    french = f"{'1er' if day == 1 else day} {month.french}"
    if rng.random() < 0.3:
        return Word(f"{month.english} {day}{_ordinal(day)}", french)
    return Word(f"{month.english} {day}", french)


def _ordinal(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _sum(rng: random.Random) -> Word:
    first, second = rng.randint(2, 60), rng.randint(2, 39)
    if rng.random() < 0.5:
        return _same(f"{first} + {second} = {first + second}")
    total = rng.choice((first + second, first * second))
    joint = ("plus", "plus") if total == first + second else ("times", "fois")
    return Word(
        f"{first} {joint[0]} {second} is {total}", f"{first} {joint[1]} {second} font {total}"
    )


_NUMBERS: dict[str, Callable[[random.Random], Word]] = {
    "age": _digits(3, 99),
    "agespelt": _spelt(3, 99),
    "small": _digits(2, 30),
    "smallspelt": _spelt(2, 30),
    "number": _number,
    "big": _big,
    "year": lambda rng: _same(
        str(rng.randint(1500, 2035) if rng.random() < 0.3 else rng.randint(1900, 2030))
    ),
    "time": _time,
    "hour": _hour,
    "date": _date,
    "sum": _sum,
}
