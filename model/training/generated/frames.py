"""The sentence frames of the generated pronoun sentences: who does what to what, and why.

A frame names the roles its two nouns play and the adjectives that explain the sentence by the
first or by the second of them. "The X didn't cross the Y because it was too Z." is explained by
X when Z is "tired", by Y when Z is "wide".
"""

from __future__ import annotations

from model.training.generated.frame import (
    ONLY_TOO,
    QUALITY,
    Cast,
    Frame,
    Wording,
    done_by,
    undone,
    words,
)
from model.training.generated.frames_moving import MOVING
from model.training.generated.reasons import GLOOMY, SILLY, TIMID, UNEASY, WEARY

_PERCEIVING = (
    Frame(
        "see",
        undone("see", "n'a pas vu", "ne verra", "voir"),
        (
            Cast("animal", "dest", (*SILLY, *WEARY), words("far remote isolated dark foggy")),
            Cast("animal", "height", (*SILLY, *WEARY), words("far")),
            Cast("animal", "indoors", (*SILLY, *WEARY), words("dark smoky bright")),
        ),
    ),
    Frame(
        "like",
        (
            Wording("{x} didn't like {y}", "{x} n'aimait pas {y}", 3),
            Wording("{x} doesn't like {y}", "{x} n'aime pas {y}", 1, True),
        ),
        (
            Cast("animal", "ground", (*GLOOMY, *TIMID), UNEASY),
            Cast("pet", "indoors", (*GLOOMY, *TIMID), (*UNEASY, "cold")),
            Cast("animal", "home", (*GLOOMY, *TIMID), UNEASY),
        ),
    ),
)
_FULL = words(
    "tired sick ill sleepy nervous anxious sad slow impatient angry stubborn upset unhappy "
    "depressed disappointed excited distracted jealous proud spoiled drunk polite dizzy "
    "annoyed frustrated satisfied rude impressed horrified outraged puzzled serious concerned"
)
_FUSSY = words(
    "tired sleepy sad old scared frightened exhausted angry anxious ill upset depressed spoiled "
    "proud furious suspicious asleep dead mad horrified annoyed frustrated discouraged wild "
    "aggressive stunned unconscious grateful"
)
_MEALS = (
    (
        "carnivore",
        "flesh",
        words("salty hard dry cold hot burnt spicy raw rotten greasy sour awful disgusting tough"),
    ),
    ("herbivore", "greens", words("hard dry bitter sweet burnt sour raw rotten awful disgusting")),
    (
        "omnivore",
        "dish",
        words(
            "salty spicy hard dry cold hot bitter burnt sweet sour raw rotten greasy awful "
            "disgusting tough"
        ),
    ),
)
_DRINKS = words(
    "cold hot warm sour bitter sweet salty strong dirty polluted icy filthy smelly "
    "awful disgusting weird terrible horrible"
)
_EATING = (
    Frame(
        "finish",
        (Wording("{x} didn't finish {y}", "{x} n'a pas fini {y}"),),
        tuple(Cast(eater, food, _FULL, taste) for eater, food, taste in _MEALS),
        share=3,
    ),
    Frame(
        "drink",
        (
            Wording("{x} didn't drink {y}", "{x} n'a pas bu {y}", 4),
            Wording("{x} couldn't drink {y}", "{x} n'a pas pu boire {y}", 1),
            Wording("{x} won't drink {y}", "{x} ne boira pas {y}", 1, True),
        ),
        (Cast("animal", "drink", (*_FUSSY, *_FULL), _DRINKS),),
    ),
    Frame(
        "eat",
        (Wording("{x} didn't eat {y}", "{x} n'a pas mangé {y}"),),
        tuple(Cast(eater, food, _FUSSY, taste) for eater, food, taste in _MEALS),
        held=True,
    ),
)

_CONTAINING = tuple(
    Cast(
        content, container, words("big large huge wide long thick"), words("small tiny full narrow")
    )
    for content, container in (
        ("content", "container"),
        ("little", "small_container"),
        ("tiny", "tinybox"),
        ("bulky", "bigbox"),
    )
)
_HANDLING = (
    Frame(
        "fit_in",
        (
            Wording("{x} didn't fit in {y}", "{x} ne rentrait pas dans {y}", 4),
            Wording("{x} doesn't fit in {y}", "{x} ne rentre pas dans {y}", 3, True),
            Wording("{x} won't fit in {y}", "{x} ne rentrera pas dans {y}", 1, True),
        ),
        _CONTAINING,
        role_decides=True,
        share=4,
    ),
    Frame(
        "put_in",
        (
            Wording("I couldn't put {x} in {y}", "Je n'ai pas pu mettre {x} dans {y}", 2),
            Wording("He couldn't put {x} in {y}", "Il n'a pas pu mettre {x} dans {y}", 1),
            Wording("I can't put {x} in {y}", "Je ne peux pas mettre {x} dans {y}", 2, True),
        ),
        _CONTAINING,
        role_decides=True,
    ),
    Frame(
        "buy",
        done_by(
            "bought {x} instead of {y}",
            "acheté {x} au lieu {de_y}",
            "She/Elle a;He/Il a;I/J'ai;Tom/Tom a;My father/Mon père a;My mother/Ma mère a",
        ),
        (
            Cast(
                "kind_",
                "kind_",
                words(
                    "cheaper cheap prettier pretty beautiful lovely charming attractive cute "
                    "stylish lighter better useful practical handy reliable efficient simple "
                    "strong interesting modern comfortable pleasant solid new excellent "
                    "perfect special original convenient valuable powerful awesome amazing "
                    "fantastic impressive popular delicious fresh"
                ),
                words(
                    "expensive costly small tiny big large huge heavy ugly horrible old useless "
                    "boring difficult complicated strange long short thin thick awful weird odd "
                    "ridiculous unusual complex disgusting uncomfortable tight loose tough"
                ),
                kin=True,
            ),
        ),
        degrees=(QUALITY, ONLY_TOO),
        role_decides=True,
        determiners=False,
        share=3,
    ),
    Frame(
        "break_with",
        done_by("broke {x} with {y}", "cassé {x} avec {y}", "He/Il a;She/Elle a;I/J'ai;Tom/Tom a"),
        (
            Cast(
                "breakable",
                "tool",
                words("fragile thin delicate"),
                words("heavy hard solid strong"),
            ),
        ),
        degrees=(QUALITY, QUALITY),
        share=1,
    ),
    Frame(
        "break",
        (Wording("{x} broke {y}", "{x} a cassé {y}"),),
        (
            Cast(
                "missile",
                "breakable",
                words("heavy hard solid strong"),
                words("fragile thin delicate"),
            ),
        ),
        degrees=(QUALITY, QUALITY),
        share=1,
    ),
)

FRAMES: tuple[Frame, ...] = MOVING + _PERCEIVING + _EATING + _HANDLING
