"""A second set of held-out pronoun sentences, for the final measurement only.

Its words are in `second_set.tsv` and in no other table, so no generated training sentence has any.
Choosing settings, words or weights by the results on these sentences would make them a part of
training: measure on them once, after all choices.
"""

import random

from model.training.generated.coreference import CoreferencePair
from model.training.generated.lexicon import Noun, noun_phrase, subject_clause
from model.training.generated.tables import rows

SIZE = 400

_CLAUSES = (
    ("The {x} didn't cross the {y}", "{x} n'a pas traversé {y}"),
    ("The {x} didn't like the {y}", "{x} n'aimait pas {y}"),
    ("The {x} couldn't cross the {y}", "{x} n'a pas pu traverser {y}"),
)


def _rows(part: str, of: str) -> list[dict[str, str]]:
    wanted = part, of
    return [row for row in rows("second_set.tsv") if (row["part"], row["said of"]) == wanted]


def _nouns(of: str) -> list[Noun]:
    return [
        Noun(
            english=row["english"],
            french=row["masculine"] or row["feminine"],  # a noun has only one of them
            gender="m" if row["masculine"] else "f",
            held=True,
            classes=frozenset((of,)),
            adjectives=frozenset(),
        )
        for row in _rows("noun", of)
    ]


def second_set() -> list[CoreferencePair]:
    """Generate SIZE sentences about two nouns of different gender, half of them for each role."""
    rng = random.Random(3)
    animals, places = _nouns("animal"), _nouns("place")
    of_animals, of_places = _rows("adjective", "animal"), _rows("adjective", "place")
    by_english: dict[str, CoreferencePair] = {}
    while len(by_english) < SIZE:
        animal, place = rng.choice(animals), rng.choice(places)
        if animal.gender == place.gender:
            continue
        is_first = len(by_english) % 2 == 0
        adjective = rng.choice(of_animals if is_first else of_places)
        pair = _pair(rng.choice(_CLAUSES), animal, place, adjective, is_first)
        by_english.setdefault(pair.source, pair)
    return list(by_english.values())


def _pair(
    clause: tuple[str, str], animal: Noun, place: Noun, adjective: dict[str, str], is_first: bool
) -> CoreferencePair:
    antecedent, other = (animal, place) if is_first else (place, animal)
    gender = antecedent.gender
    english = clause[0].format(x=animal.english, y=place.english)
    french = clause[1].format(x=noun_phrase(animal), y=noun_phrase(place))
    attribute = adjective["masculine" if gender == "m" else "feminine"]
    return CoreferencePair(
        source=f"{english} because it was too {adjective['english']}.",
        target=f"{french[0].upper()}{french[1:]} {subject_clause(gender)} était trop {attribute}.",
        frame="second set",
        antecedent="first" if is_first else "second",
        antecedent_word=antecedent.english,
        other_word=other.english,
        gender=gender,
        adjective=adjective["english"],
    )
