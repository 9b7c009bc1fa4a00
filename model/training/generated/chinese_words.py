"""Chinese words and names with their English, and the forms that frames ask for.

A frame writes {slot} or {slot:form}. In Chinese {dog:m} is the noun with its measure word, 只狗. In
English {job:a} is "a doctor", {book:s} "books", {do:ed} "went to school"; {he:likes} is any verb in
the third person, which becomes "I like", {he:is} "I'm" or "Xiao Ming is"; {do:he} agrees with {he}.
A digit distinguishes two of a kind: {city} and {city2}.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from model.training.generated.chinese_numbers import NUMBERS, chinese_number, counted
from model.training.generated.copied import COPIED
from model.training.generated.frame import words
from model.training.generated.grammar import a_or_an, english_plural
from model.training.generated.numerals import english_number
from model.training.generated.tables import rows

T = TypeVar("T")

_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women"} | {
    "fish": "fish", "sheep": "sheep", "mouse": "mice", "knife": "knives", "wolf": "wolves",
    "news story": "news stories", "policeman": "policemen",
}  # fmt: skip
_PERSONS: dict[str, tuple[str, ...]] = {
    # subject: object, possessive, with is, has (done), will
    "I": ("me", "my", "I'm", "I've", "I'll"),
    "you": ("you", "your", "you're", "you've", "you'll"),
    "he": ("him", "his", "he's", "he's", "he'll"),
    "she": ("her", "her", "she's", "she's", "she'll"),
    "it": ("it", "its", "it's", "it's", "it'll"),
    "we": ("us", "our", "we're", "we've", "we'll"),
    "they": ("them", "their", "they're", "they've", "they'll"),
}
_BASES = {"is": "are", "has": "have", "does": "do", "goes": "go", "was": "were"}
_PRONOUNS = (
    ("我", "I"), ("我", "I"), ("你", "you"), ("他", "he"), ("她", "she"), ("我们", "we"),
    ("他们", "they"), ("她们", "they"),
)  # fmt: skip


@dataclass(frozen=True)
class Term:
    """A word, name or phrase in both languages.

    `more` is a noun's measure word, a place with "the", or a nation's adjective; `verb` the base,
    past, participle and -ing of a verb phrase; `other` what belongs to it, in both languages.
    """

    chinese: str
    english: str
    more: str = ""
    verb: tuple[str, ...] = ()
    other: tuple[str, str] = ("", "")

    def in_chinese(self, form: str) -> str:
        """Return the word; "m" puts its measure word before it, "only" is that, or `other`."""
        forms = {"m": self.more + self.chinese, "only": self.more, "other": self.other[0]}
        return forms.get(form, self.chinese)

    def in_english(self, form: str) -> str:
        """Return the form for an English frame; form "" is the word alone."""
        if form in _FORMS:
            return _FORMS[form](self)
        return self._with_verb(form) if form else self._base

    def agreeing(self, subject: Term) -> str:
        """Return a verb phrase that agrees with its subject: go to school, goes to school."""
        base = self._base
        return base if subject.english in _PLURAL else _third(base)

    @property
    def _base(self) -> str:
        return self.verb_form(0) if self.verb else self.english

    def verb_form(self, form: int) -> str:
        """Return a form of a verb phrase: base, past, participle, -ing."""
        return f"{self.verb[form]} {self.english}".strip()

    @property
    def plural(self) -> str:
        """Return the plural of a noun: cups of coffee."""
        noun, of, rest = self.english.partition(" of ")
        before, _, last = noun.rpartition(" ")
        plural = _PLURALS.get(noun) or f"{before} {_PLURALS.get(last) or english_plural(last)}"
        return plural.strip() + of + rest

    def _with_verb(self, verb: str) -> str:
        """Return the word as a subject, with a verb or an auxiliary."""
        person = _PERSONS.get(self.english)
        many = self.english in _PLURAL
        if verb in _SHORT and person:
            return person[_SHORT[verb]]
        if verb in _LONG:
            one, more = _LONG[verb]
            return f"{self.english} {more if many else one}"
        if verb == "isnt" and self.english == "I":
            return "I'm not"
        if verb in ("isnt", "doesnt", "hasnt", "wasnt"):
            base = _BASES[verb[:-2]] if many else verb[:-2]
            base = "was" if verb == "wasnt" and self.english == "I" else base
            return f"{self.english} {base}n't"
        if self.english == "I" and verb == "was":
            return "I was"
        return f"{self.english} {_bare(verb) if many else verb}"


_SHORT_LIST = 25
_PLURAL = ("I", "you", "we", "they")
_SHORT = {"is": 2, "perfect": 3, "will": 4}
_LONG = {"is": ("is", "are"), "perfect": ("has", "have"), "will": ("will", "will")}


def _asked(verb: str) -> Callable[[Term], str]:
    def written(term: Term) -> str:
        if term.english == "I" and verb in ("is", "was"):
            return {"is": "am I", "was": "was I"}[verb]
        return f"{_BASES[verb] if term.english in _PLURAL else verb} {term.english}"

    return written


def _owner(term: Term) -> str:
    return _PERSONS[term.english][1] if term.english in _PERSONS else f"{term.english}'s"


def _object(term: Term) -> str:
    return _PERSONS[term.english][0] if term.english in _PERSONS else term.english


def _be(term: Term) -> str:
    many = term.english.endswith("s") and not term.english.endswith("ics")
    return "are" if many else "is"


_FORMS: dict[str, Callable[[Term], str]] = {
    "a": lambda term: a_or_an(term.english),
    "s": lambda term: term.plural,
    "in": lambda term: term.english,
    "bare": lambda term: term.english.removeprefix("the "),
    "the": lambda term: term.more,
    "his": lambda term: term.more,
    "ed": lambda term: term.verb_form(1),
    "en": lambda term: term.verb_form(2),
    "ing": lambda term: term.verb_form(3),
    "me": _object,
    "my": _owner,
    "is_it": _asked("is"),
    "was_it": _asked("was"),
    "does_it": _asked("does"),
    "has_it": _asked("has"),
    "doesnt_it": lambda term: ("don't " if term.english in _PLURAL else "doesn't ") + term.english,
    "is_full": lambda term: f"{term.english} {'are' if term.english in _PLURAL else 'is'}",
    "are": lambda term: f"{term.english} {_be(term)}",
    "are_it": lambda term: f"{_be(term)} {term.english}",
    "other": lambda term: term.other[1],
    "people": lambda term: term.more,
    "a_people": lambda term: a_or_an(term.more),
}


def _bare(verb: str) -> str:
    """Return the base of a verb in the third person: likes, like; studies, study."""
    first, _, rest = verb.partition("_")
    if first in _BASES:
        base = _BASES[first]
    elif first.endswith("ies"):
        base = f"{first[:-3]}y"
    elif first.endswith(("ches", "shes", "sses", "xes")):
        base = first[:-2]
    else:
        base = first.removesuffix("s")
    return f"{base} {rest}".strip()


def _third(phrase: str) -> str:
    first, space, rest = phrase.partition(" ")
    third = {"have": "has", "do": "does", "go": "goes"}.get(first) or english_plural(first)
    return third + space + rest


@cache
def terms(kind: str) -> tuple[Term, ...]:
    """Return all words of a kind in the table."""
    table = rows("chinese_words.tsv")
    verbs = kind in ("act", "go")
    return tuple(
        Term(row["chinese"], row["english"], verb=words(row["more"]))
        if verbs
        else Term(row["chinese"], row["english"], row["more"])
        for row in table
        if row["kind"] == kind
    )


def common(options: Sequence[T], rng: random.Random) -> T:
    """Draw one of a list that begins with the commonest; half of the draws fall in its quarter.

    Short lists, such as the days of the week, are drawn evenly.
    """
    even = len(options) < _SHORT_LIST
    return options[int(len(options) * rng.random() ** (1 if even else 2))]


@cache
def _countries() -> tuple[dict[str, str], ...]:
    return tuple(rows("chinese_countries.tsv"))


def _country(rng: random.Random) -> Term:
    row = common(_countries(), rng)
    return Term(row["chinese"], row["english"], row["people"])


def _people(rng: random.Random) -> Term:
    while True:
        term = _country(rng)
        if term.more:
            return term


def _capital(rng: random.Random) -> Term:
    """Draw a capital; `other` is its country."""
    while True:
        row = common(_countries(), rng)
        if row["capital"]:
            country = row["chinese"], row["english"]
            return Term(row["capital"], row["capital_english"], other=country)


def _given(rng: random.Random) -> Term:
    surname = common(terms("surname"), rng)
    names = [common(terms("given"), rng) for _ in range(rng.choice((1, 2)))]
    given = "".join(name.english for name in names).capitalize()
    return Term(
        surname.chinese + "".join(name.chinese for name in names), f"{surname.english} {given}"
    )


_TITLES = (
    ("先生", "Mr."), ("女士", "Ms."), ("小姐", "Miss"), ("太太", "Mrs."), ("医生", "Dr."),
    ("教授", "Professor"), ("老师", "Teacher"),
)  # fmt: skip


def _title(rng: random.Random) -> Term:
    surname, (chinese, english) = common(terms("surname"), rng), rng.choice(_TITLES)
    return Term(surname.chinese + chinese, f"{english} {surname.english}")


def _name(rng: random.Random) -> Term:
    draws = rng.random()
    if draws < 0.45:
        return common(terms(rng.choice(("western_m", "western_f"))), rng)
    return _given(rng) if draws < 0.75 else common(terms("nickname"), rng)


def _gendered(rng: random.Random) -> Term:
    """Draw a name or a relative; `more` is his or her, `other` he or she."""
    she = rng.random() < 0.5
    more, other = ("her", ("她", "she")) if she else ("his", ("他", "he"))
    if rng.random() < 0.7:
        name = common(terms("western_f" if she else "western_m"), rng)
        return Term(name.chinese, name.english, more, other=other)
    chinese, english = rng.choice(_WOMEN if she else _MEN)
    return Term(f"我{chinese}", f"my {english}", more, other=other)


_MEN = (
    ("爸爸", "father"), ("哥哥", "older brother"), ("弟弟", "younger brother"), ("叔叔", "uncle"),
    ("爷爷", "grandfather"), ("儿子", "son"), ("丈夫", "husband"), ("男朋友", "boyfriend"),
)  # fmt: skip
_WOMEN = (
    ("妈妈", "mother"), ("姐姐", "older sister"), ("妹妹", "younger sister"), ("阿姨", "aunt"),
    ("奶奶", "grandmother"), ("女儿", "daughter"), ("妻子", "wife"), ("女朋友", "girlfriend"),
)  # fmt: skip


def _who(rng: random.Random) -> Term:
    draws = rng.random()
    if draws < 0.6:
        return Term(*rng.choice(_PRONOUNS))
    if draws < 0.9:
        return _name(rng)
    if draws < 0.95:
        return _title(rng)
    kin = common(terms("kin"), rng)
    return Term(f"我{kin.chinese}", f"my {kin.english}")


def _city(rng: random.Random) -> Term:
    if rng.random() < 0.25:
        capital = _capital(rng)
        return Term(capital.chinese, capital.english)
    return common(terms("city"), rng)


def _several(kind: str) -> Callable[[random.Random], Term]:
    def drawn(rng: random.Random) -> Term:
        number, term = counted(rng), common(terms(kind), rng)
        return Term(number[0] + term.more + term.chinese, f"{number[1]} {term.plural}")

    return drawn


def _one(kind: str) -> Callable[[random.Random], Term]:
    def drawn(rng: random.Random) -> Term:
        term = common(terms(kind), rng)
        return Term(f"一{term.more}{term.chinese}", a_or_an(term.english))

    return drawn


def _made(make: Callable[[random.Random], tuple[str, str]]) -> Callable[[random.Random], Term]:
    return lambda rng: Term(*make(rng))


def _same_on_both_sides(kind: str) -> Callable[[random.Random], Term]:
    def drawn(rng: random.Random) -> Term:
        text = COPIED[kind](rng)[0]
        return Term(text, text)

    return drawn


def _sum(rng: random.Random) -> Term:
    """Draw two numbers; `other` is their sum."""
    first, second = rng.randint(1, 20), rng.randint(1, 20)
    both: tuple[Callable[[int], str], Callable[[int], str]] = (chinese_number, english_number)
    chinese, english = (str, str) if rng.random() < 0.3 else both
    return Term(
        f"{chinese(first)}和{chinese(second)}",
        f"{english(first)} and {english(second)}",
        other=(chinese(first + second), english(first + second)),
    )


def _of(kinds: str) -> Callable[[random.Random], Term]:
    return lambda rng: common(terms(rng.choice(words(kinds))), rng)


_DRAWN: dict[str, Callable[[random.Random], Term]] = {
    "country": _country,
    "nation": _people,
    "capital": _capital,
    "name": _name,
    "person": _given,
    "title": _title,
    "who": _who,
    "gendered": _gendered,
    "pron": lambda rng: Term(*rng.choice(_PRONOUNS)),
    "someone": lambda rng: _name(rng) if rng.random() < 0.4 else Term(*rng.choice(_PRONOUNS[:5])),
    "do": lambda rng: common(terms(rng.choice(("act", "act", "act", "go"))), rng),
    "he": lambda rng: Term(*rng.choice((("他", "he"), ("她", "she")))),
    "they": lambda rng: Term(*rng.choice((("他们", "they"), ("她们", "they")))),
    "we": lambda rng: Term(*rng.choice((("我们", "we"), ("你们", "you"), ("他们", "they")))),
    "city": _city,
    "somewhere": lambda rng: rng.choice((_city, _city, _country, _of("province sight")))(rng),
    "several": lambda rng: _several(rng.choice(("goods", "animal", "noun", "measure")))(rng),
    "bought": lambda rng: _several(rng.choice(("goods", "measure")))(rng),
    "animals": _several("animal"),
    "persons": _several("people"),
    "siblings": _several("sibling"),
    "one": lambda rng: _one(rng.choice(("goods", "animal", "noun", "measure")))(rng),
    "sum": _sum,
    "inlaid": _of("tool inlaid"),
    **{kind: _made(make) for kind, make in NUMBERS.items()},
    **{kind: _same_on_both_sides(kind) for kind in ("email", "address", "hashtag", "code")},
}


def draw(kind: str, rng: random.Random) -> Term:
    """Draw a word for a slot; KeyError for a slot without words."""
    if kind in _DRAWN:
        return _DRAWN[kind](rng)
    if not terms(kind):
        raise KeyError(kind)
    return common(terms(kind), rng)
