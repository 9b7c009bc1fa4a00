"""Generated pairs whose nouns carry two adjectives: a lazy black cat, un chat noir paresseux.

Real pairs have few such phrases, and a model trained only on real pairs drops one of the two
adjectives. The nouns and adjectives are those of `lexicon.py`, without the held-out words. No
sentence has a quick fox, so that the quick brown fox remains a test.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from model.training.data.pairs import Pair
from model.training.generated.frame import words
from model.training.generated.lexicon import (
    Adjective,
    Determiner,
    Noun,
    adjectives,
    noun_phrase,
    nouns,
    starts_with_vowel,
)

COLOURS = {
    english: Adjective(english, masculine, feminine, "être", "none", held=False)
    for english, masculine, feminine in (
        ("black", "noir", "noire"),
        ("white", "blanc", "blanche"),
        ("brown", "brun", "brune"),
        ("gray", "gris", "grise"),
        ("red", "rouge", "rouge"),
        ("green", "vert", "verte"),
        ("blue", "bleu", "bleue"),
        ("yellow", "jaune", "jaune"),
    )
}
_COATS = tuple(COLOURS[name] for name in ("black", "white", "brown", "gray"))
_THINGS = frozenset(
    words("bedding kind_garment kind_furniture kind_vehicle kind_linen container small_container")
)
# These adjectives come before a French noun, all others after it.
_BEFORE = frozenset(words("vieux vieille jeune petit petite grand grande gros grosse joli jolie"))
# English uses these only after "is"; elsewhere the French adjective has another meaning.
_AFTER_IS = frozenset(words("ill alone asleep far better loose tight upset concerned impressed"))
_DETERMINERS: tuple[tuple[Determiner, int], ...] = (
    ("the", 10),
    ("a", 5),
    ("my", 2),
    ("this", 2),
    ("our", 1),
)
_CHOICES = ((True, True), (True, False), (False, True), (False, False))
_WEIGHTS = (10, 3, 3, 4)  # quality and colour, one of them, none
_FORBIDDEN = frozenset(("quick", "fox"))


# Sentences about a creature {x} and another creature {y} or a thing {z}.
_SENTENCES = (
    ("{x} is sleeping.", "{x} dort."),
    ("{x} is running.", "{x} court."),
    ("{x} is eating.", "{x} mange."),
    ("{x} is hungry.", "{x} a faim."),
    ("{x} sees {y}.", "{x} voit {y}."),
    ("{x} saw {y}.", "{x} a vu {y}."),
    ("{x} follows {y}.", "{x} suit {y}."),
    ("{x} followed {y}.", "{x} a suivi {y}."),
    ("{x} is following {y}.", "{x} suit {y}."),
    ("{x} hears {y}.", "{x} entend {y}."),
    ("{x} is watching {y}.", "{x} regarde {y}."),
    ("{x} is looking at {y}.", "{x} regarde {y}."),
    ("{x} bit {y}.", "{x} a mordu {y}."),
    ("{x} runs behind {y}.", "{x} court derrière {y}."),
    ("{x} is in front of {z}.", "{x} est devant {z}."),
    ("{x} is hiding under {z}.", "{x} se cache sous {z}."),
    ("{x} is sleeping behind {z}.", "{x} dort derrière {z}."),
    ("I saw {x}.", "J'ai vu {x}."),
    ("He has {x}.", "Il a {x}."),
    ("She likes {x}.", "Elle aime {x}."),
    ("Look at {x}!", "Regarde {x} !"),
    ("I want {z}.", "Je veux {z}."),
    ("I bought {z}.", "J'ai acheté {z}."),
    ("We sold {z}.", "Nous avons vendu {z}."),
    ("She found {z}.", "Elle a trouvé {z}."),
    ("Tom has {z}.", "Tom a {z}."),
)


def phrase_pairs(count: int, seed: int) -> list[Pair]:
    """Generate `count` pairs whose English sentences all differ, in random order."""
    rng = random.Random(seed)
    creatures = [noun for noun in nouns() if not noun.held and "animal" in noun.classes]
    things = [noun for noun in nouns() if not noun.held and _THINGS & noun.classes]
    by_english: dict[str, Pair] = {}
    while len(by_english) < count:
        wording = rng.choice(_SENTENCES)
        x, y = rng.sample(creatures, 2)
        noun_phrases = {
            name: _phrase(noun, colours, rng)
            for name, noun, colours in (
                ("x", x, _COATS),
                ("y", y, _COATS),
                ("z", rng.choice(things), tuple(COLOURS.values())),
            )
        }
        english, french = (
            text.format(**{name: phrase[side] for name, phrase in noun_phrases.items()})
            for side, text in enumerate(wording)
        )
        if set(english.rstrip(".!").split()) >= _FORBIDDEN:
            continue
        english, french = (text[0].upper() + text[1:] for text in (english, french))
        by_english[english] = Pair(english, french)
    return list(by_english.values())


def described(
    noun: Noun, determiner: Determiner, quality: Adjective | None, colour: Adjective | None
) -> tuple[str, str]:
    """Write a noun with a determiner and up to two adjectives, in English and in French."""
    adjectives = [word for word in (quality, colour) if word]
    english = " ".join([*(word.english for word in adjectives), noun.english])
    article = "an" if determiner == "a" and english[0] in "aeiou" else determiner
    forms = [word.french(noun.gender) for word in reversed(adjectives)]
    before = [form for form in forms if form in _BEFORE]
    after = [form for form in forms if form not in _BEFORE]
    if before == ["vieux"] and starts_with_vowel(noun.french):
        before = ["vieil"]
    # One word with its adjective: the word next to the determiner decides its form.
    french = replace(noun, french=" ".join([*before, noun.french, *after]))
    return f"{article} {english}", noun_phrase(french, determiner)


def _phrase(noun: Noun, colours: tuple[Adjective, ...], rng: random.Random) -> tuple[str, str]:
    has_quality, has_colour = rng.choices(_CHOICES, _WEIGHTS)[0]
    quality = rng.choice(_qualities(noun)) if has_quality else None
    colour = rng.choice(colours) if has_colour else None
    determiners, weights = zip(*_DETERMINERS, strict=True)
    return described(noun, rng.choices(determiners, weights)[0], quality, colour)


@cache
def _qualities(noun: Noun) -> tuple[Adjective, ...]:
    """List the adjectives that can stand beside the noun in both languages."""
    return tuple(
        word
        for name, word in adjectives().items()
        if name in noun.adjectives - _AFTER_IS
        and not word.held
        and word.verb == "être"
        and " " not in word.masculine
    )
