"""The parts of a sentence frame for generated pronoun sentences."""

from __future__ import annotations

from dataclasses import dataclass

# How often each adverb stands before the adjective. A thing failed mostly because of an excess; a
# thing was done because of a quality. Where the adjective could describe either noun, only "too"
# tells which one is to blame.
Degrees = tuple[tuple[str, int], ...]
DEGREES: dict[str, Degrees] = {
    "excess": (("too", 16), ("so", 3), ("very", 1)),
    "only too": (("too", 1),),
    "quality": (("so", 2), ("very", 3), ("", 5)),
    "so or very": (("so", 3), ("very", 2)),
}
"""Degrees by their names in `frames.tsv`."""


@dataclass(frozen=True)
class Wording:
    """One way to word a frame: the English and French main clause and the tense of the reason.

    {x} and {y} are the noun phrases, {de_y} and {a_y} the second phrase after de and à, {e} the
    ending of a participle that agrees with the first noun.
    """

    english: str
    french: str
    weight: int
    present: bool


@dataclass(frozen=True)
class Cast:
    """Classes of nouns for the two roles, and the adjectives that decide for each role.

    `kin` asks for two nouns that share the class starting with "kind_" (two garments).
    """

    first: str
    second: str
    because_first: tuple[str, ...]
    because_second: tuple[str, ...]
    kin: bool


@dataclass(frozen=True)
class Frame:
    """A sentence frame.

    With `role_decides` an adjective may fit both nouns and still point to one (a thing that does
    not fit in is too big, not too small); otherwise it must fit only one of them. `degrees` are
    those of the first and of the second noun's adjectives. With `determiners`, nouns may take
    "this", "my" or "our" as well as "the". `share` is the frame's relative share of the training
    pairs.
    """

    name: str
    wordings: tuple[Wording, ...]
    casts: tuple[Cast, ...]
    degrees: tuple[Degrees, Degrees]
    role_decides: bool
    determiners: bool
    share: int
    held: bool


def words(text: str) -> tuple[str, ...]:
    """Write a tuple of words as one string."""
    return tuple(text.split())
