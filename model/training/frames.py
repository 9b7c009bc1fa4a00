"""The sentence frames of the generated pronoun sentences: who does what to what, and why.

A frame names the roles its two nouns play and the adjectives that explain the sentence by the
first or by the second of them. "The X didn't cross the Y because it was too Z." is explained by
X when Z is "tired", by Y when Z is "wide".
"""

from __future__ import annotations

from model.training.frame import (
    EXCESS,
    ONLY_TOO,
    QUALITY,
    Cast,
    Frame,
    Wording,
    done_by,
    undone,
    words,
)

_WEARY = words("tired exhausted sick weak lazy sleepy old injured hungry thirsty")
_TIMID = words("scared afraid nervous shy frightened worried careful")
_MOVER = (*_WEARY, *_TIMID, *words("young slow small fat"))
_UNWILLING = (*words("tired exhausted sick sleepy lazy old"), *_TIMID)
_JUMPER = (*_WEARY, *words("fat small"))
_UNEASY = words("noisy crowded dark dangerous closed flooded")

_MOVING = (
    Frame(
        "cross",
        undone("cross", "n'a pas traversé", "ne traversera", "traverser"),
        (
            Cast(
                "animal",
                "crossing",
                _MOVER,
                words("wide deep busy noisy crowded dangerous dark dirty slippery flooded long"),
            ),
            Cast("pet", "town", _MOVER, words("noisy crowded busy big dangerous")),
            Cast("large", "track", _MOVER, words("narrow")),
            Cast(
                "vehicle",
                "terrain",
                words("heavy old slow damaged"),
                words("narrow flooded wide deep slippery"),
            ),
            Cast("army", "terrain", words("tired weak small slow exhausted"), words("wide deep")),
            Cast("ship", "sailing", words("slow old heavy damaged small"), words("wide dangerous")),
            Cast("swimmer", "sea", words("tired sick slow old weak young"), words("wide cold")),
        ),
        share=9,
    ),
    Frame(
        "enter",
        undone("enter", "n'est pas entré{e}", "n'entrera", "entrer", "dans {y}"),
        (
            Cast("pet", "indoors", _UNWILLING, _UNEASY),
            Cast("animal", "ground", _UNWILLING, _UNEASY),
            Cast("large", "opening", words("fat big"), words("low narrow small")),
        ),
        share=3,
    ),
    Frame(
        "leave",
        (
            Wording("{x} didn't leave {y}", "{x} n'a pas quitté {y}", 6),
            Wording("{x} won't leave {y}", "{x} ne quittera pas {y}", 1, True),
        ),
        (
            Cast(
                "animal",
                "home",
                (*_UNWILLING, *words("happy weak young")),
                words("quiet comfortable beautiful big"),
            ),
            Cast(
                "pet",
                "room_home",
                (*_UNWILLING, *words("happy weak young")),
                words("quiet comfortable big closed"),
            ),
            Cast("animal", "lockable", _UNWILLING, words("closed")),
            Cast("flyer", "lockable", _UNWILLING, words("closed comfortable")),
            Cast("sleeper", "seat", _UNWILLING, words("comfortable")),
        ),
        degrees=(EXCESS, (("so", 3), ("very", 2))),
        share=3,
    ),
    Frame(
        "go_to",
        (
            Wording("{x} didn't go to {y}", "{x} n'est pas allé{e} {a_y}", 6),
            Wording("{x} couldn't go to {y}", "{x} n'a pas pu aller {a_y}", 1),
            Wording("{x} can't go to {y}", "{x} ne peut pas aller {a_y}", 1, True),
        ),
        (Cast("goer", "dest", (*_UNWILLING, "slow"), (*_UNEASY, "dirty")),),
        determiners=False,
    ),
    Frame(
        "jump_over",
        undone("jump over", "n'a pas sauté", "ne sautera", "sauter", "par-dessus {y}"),
        (
            Cast("jumper", "obstacle", _JUMPER, words("high")),
            Cast("jumper", "gap", _JUMPER, words("wide deep")),
        ),
    ),
    Frame(
        "climb",
        undone("climb", "n'a pas escaladé", "n'escaladera", "escalader"),
        (
            Cast(
                "climber",
                "height",
                (*_WEARY, *words("fat scared young")),
                words("high steep slippery dangerous"),
            ),
        ),
        share=3,
    ),
    Frame(
        "hide",
        (
            Wording("{x} hid in {y}", "{x} s'est caché{e} dans {y}", 4),
            Wording("{x} is hiding in {y}", "{x} se cache dans {y}", 1, True),
        ),
        (
            Cast("hider", "den", (*_TIMID, *words("sick injured")), words("dark quiet big empty")),
            Cast("pet", "nook", (*_TIMID, *words("sick injured")), words("dark quiet big empty")),
            Cast("pet", "burrow", (*_TIMID, *words("sick injured")), words("dark deep")),
        ),
        degrees=(QUALITY, QUALITY),
    ),
    Frame(
        "sleep_on",
        (
            Wording("{x} slept on {y}", "{x} a dormi sur {y}", 4),
            Wording("{x} is sleeping on {y}", "{x} dort sur {y}", 1, True),
        ),
        (
            Cast(
                "sleeper",
                "bedding",
                words("tired exhausted sick sleepy lazy weak"),
                words("comfortable soft warm thick"),
            ),
        ),
        degrees=(QUALITY, QUALITY),
    ),
    Frame(
        "pull",
        (
            Wording("{x} couldn't pull {y}", "{x} n'a pas pu tirer {y}", 4),
            Wording("{x} didn't pull {y}", "{x} n'a pas tiré {y}", 1),
            Wording("{x} can't pull {y}", "{x} ne peut pas tirer {y}", 1, True),
        ),
        (
            Cast("puller", "load", (*_WEARY, "young"), words("heavy")),
            Cast("small_puller", "small_load", (*_WEARY, "young"), words("heavy full")),
        ),
        share=1,
    ),
    Frame(
        "catch",
        undone("catch", "n'a pas attrapé", "n'attrapera", "attraper"),
        tuple(
            Cast(
                hunter,
                prey,
                words("slow tired lazy old fat sleepy sick exhausted weak young injured"),
                words(cunning),
            )
            for hunter, prey, cunning in (
                ("hunter", "game", "fast careful"),
                ("mouser", "small_game", "fast careful"),
                ("insect_eater", "insect", "fast"),
                ("fisher", "small_fish", "fast"),
            )
        ),
        role_decides=True,
    ),
)

_MEALS = (
    ("carnivore", "flesh", words("salty hard dry cold hot burnt spicy")),
    ("herbivore", "greens", words("hard dry bitter sweet burnt")),
    ("omnivore", "dish", words("salty spicy hard dry cold hot bitter burnt sweet")),
)
_EATING = (
    Frame(
        "finish",
        (Wording("{x} didn't finish {y}", "{x} n'a pas fini {y}"),),
        tuple(
            Cast(eater, food, words("tired sick sleepy nervous sad slow impatient"), taste)
            for eater, food, taste in _MEALS
        ),
        share=3,
    ),
    Frame(
        "eat",
        (Wording("{x} didn't eat {y}", "{x} n'a pas mangé {y}"),),
        tuple(
            Cast(eater, food, words("tired sleepy sad old scared frightened exhausted"), taste)
            for eater, food, taste in _MEALS
        ),
        held=True,
    ),
)

_CONTAINING = tuple(
    Cast(content, container, words("big wide long thick"), words("small full narrow"))
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
                    "cheaper cheap prettier pretty beautiful lighter better useful practical "
                    "interesting modern comfortable solid new"
                ),
                words("expensive small big heavy ugly old boring difficult long short thin thick"),
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
        (Cast("breakable", "tool", words("fragile thin delicate"), words("heavy hard solid")),),
        degrees=(QUALITY, QUALITY),
        share=1,
    ),
    Frame(
        "break",
        (Wording("{x} broke {y}", "{x} a cassé {y}"),),
        (Cast("missile", "breakable", words("heavy hard solid"), words("fragile thin delicate")),),
        degrees=(QUALITY, QUALITY),
        share=1,
    ),
)

FRAMES: tuple[Frame, ...] = _MOVING + _EATING + _HANDLING
