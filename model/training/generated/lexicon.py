"""The bilingual word list behind the generated sentences, and its French grammar.

Two tables are beside this file. `nouns.tsv` gives each noun one French noun, its gender, the
classes that decide its roles, and its possible adjectives. `adjectives.tsv` gives each adjective
its two French forms. `side` is "train" or "held": words on the held side never appear in a
generated training sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from model.training.generated.tables import rows

Gender = Literal["m", "f"]
Degree = Literal["any", "strong", "none"]
Determiner = Literal["the", "a", "this", "my", "our"]

# Adjectives of every animal. The adjectives column may name the whole list as @animal, and remove
# words from the list with a minus (-old).
ANIMAL_ADJECTIVES = frozenset(
    [
        "tired",
        "hungry",
        "thirsty",
        "scared",
        "afraid",
        "sleepy",
        "lazy",
        "old",
        "young",
        "weak",
        "sick",
        "nervous",
        "slow",
        "fast",
        "fat",
        "shy",
        "happy",
        "sad",
        "injured",
        "exhausted",
        "frightened",
        "worried",
        "careful",
        "impatient",
        "angry",
        "anxious",
        "stubborn",
        "ill",
        "wounded",
        "cautious",
        "clumsy",
        "blind",
        "quick",
        "clever",
        "smart",
        "alone",
        "ashamed",
        "asleep",
        "brave",
        "calm",
        "confused",
        "crazy",
        "curious",
        "dead",
        "deaf",
        "depressed",
        "desperate",
        "disappointed",
        "distracted",
        "dizzy",
        "drunk",
        "dumb",
        "embarrassed",
        "excited",
        "faithful",
        "foolish",
        "furious",
        "greedy",
        "helpless",
        "hurt",
        "intelligent",
        "jealous",
        "lonely",
        "lost",
        "miserable",
        "naive",
        "patient",
        "polite",
        "proud",
        "selfish",
        "sensitive",
        "shocked",
        "silly",
        "skinny",
        "spoiled",
        "starving",
        "stupid",
        "surprised",
        "suspicious",
        "terrified",
        "unhappy",
        "upset",
        "wise",
        "aggressive",
        "annoyed",
        "careless",
        "cheerful",
        "concerned",
        "confident",
        "cruel",
        "discouraged",
        "friendly",
        "frustrated",
        "grateful",
        "guilty",
        "healthy",
        "horrified",
        "humiliated",
        "ignorant",
        "impressed",
        "innocent",
        "insane",
        "kind",
        "mad",
        "mean",
        "outraged",
        "overweight",
        "puzzled",
        "rude",
        "satisfied",
        "serious",
        "stunned",
        "tense",
        "unconscious",
        "wild",
    ]
)

# h is always treated as mute: the list holds no word with an aspirated one (la haie, le hibou).
_VOWELS = frozenset("aàâäeéèêëhiîïoôöuùûüœæ")

_DETERMINERS: dict[Determiner, dict[Gender, str]] = {
    "the": {"m": "le", "f": "la"},
    "a": {"m": "un", "f": "une"},
    "this": {"m": "ce", "f": "cette"},
    "my": {"m": "mon", "f": "ma"},
    "our": {"m": "notre", "f": "notre"},
}
_BEFORE_VOWEL: dict[tuple[Determiner, Gender], str] = {
    ("the", "m"): "l'",
    ("the", "f"): "l'",
    ("this", "m"): "cet",
    ("my", "f"): "mon",
}


@dataclass(frozen=True)
class Noun:
    """An English noun, its one French translation, its roles and its adjectives."""

    english: str
    french: str
    gender: Gender
    held: bool
    classes: frozenset[str]
    adjectives: frozenset[str]


@dataclass(frozen=True)
class Adjective:
    """An English adjective and its French forms.

    `verb` is "avoir" for the idioms (was hungry: avait faim). `degree` tells which adverbs it
    takes: any, strong (too and so, not very: exhausted) or none (cheaper, closed).
    """

    english: str
    masculine: str
    feminine: str
    verb: Literal["être", "avoir"]
    degree: Degree
    held: bool

    def takes(self, adverb: str) -> bool:
        """Return True if the adjective can follow this English adverb, or no adverb ("")."""
        if adverb == "" or self.degree == "any":
            return True
        return self.degree == "strong" and adverb in ("too", "so")

    def french(self, gender: Gender) -> str:
        """Return the form that agrees with a singular noun of that gender."""
        return self.masculine if gender == "m" else self.feminine


def starts_with_vowel(french: str) -> bool:
    """Return True if French elides before this word: l'ours, l'herbe."""
    return french[0] in _VOWELS


def noun_phrase(noun: Noun, determiner: Determiner = "the") -> str:
    """Return the French noun with its determiner: le chien, l'animal, cet arbre, mon équipe."""
    word = _DETERMINERS[determiner][noun.gender]
    if starts_with_vowel(noun.french):
        word = _BEFORE_VOWEL.get((determiner, noun.gender), word)
    return f"{word}{noun.french}" if word.endswith("'") else f"{word} {noun.french}"


def contracted(preposition: Literal["à", "de"], phrase: str) -> str:
    """Put a preposition before a noun phrase: au parc, à l'hôtel, du pain, de la table."""
    if phrase.startswith("le "):
        return {"à": "au ", "de": "du "}[preposition] + phrase.removeprefix("le ")
    return f"{preposition} {phrase}"


def subject_clause(gender: Gender) -> str:
    """Translate "because it": parce qu'il or parce qu'elle."""
    return "parce qu'il" if gender == "m" else "parce qu'elle"


def _degree(cell: str) -> Degree:
    for degree in get_args(Degree):
        if cell == degree:
            return degree
    raise ValueError(f"degree {cell!r} in the adjective table, expected any, strong or none")


def _words(cell: str) -> frozenset[str]:
    listed = set(cell.split())
    excepted = {word.removeprefix("-") for word in listed if word.startswith("-")}
    if "@animal" in listed:
        listed |= ANIMAL_ADJECTIVES
    return frozenset(word for word in listed - excepted if word[0] not in "-@")


@cache
def nouns() -> tuple[Noun, ...]:
    """Read every noun, in the order of the table."""
    return tuple(
        Noun(
            english=row["english"],
            french=row["french"],
            gender="m" if row["gender"] == "m" else "f",
            held=row["side"] == "held",
            classes=frozenset(row["classes"].split()),
            adjectives=_words(row["adjectives"]),
        )
        for row in rows("nouns.tsv")
    )


@cache
def adjectives() -> dict[str, Adjective]:
    """Read every adjective by its English word, in the order of the table."""
    return {
        row["english"]: Adjective(
            english=row["english"],
            masculine=row["masculine"],
            feminine=row["feminine"],
            verb="avoir" if row["verb"] == "avoir" else "être",
            degree=_degree(row["degree"]),
            held=row["side"] == "held",
        )
        for row in rows("adjectives.tsv")
    }
