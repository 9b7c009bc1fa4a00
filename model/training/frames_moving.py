"""The frames in which an animal or a vehicle goes somewhere, or does not: see frames.py."""

from __future__ import annotations

from model.training.frame import (
    EXCESS,
    QUALITY,
    Cast,
    Frame,
    Wording,
    undone,
    words,
)

_WEARY = words("tired exhausted sick ill weak lazy sleepy old injured wounded hungry thirsty")
_TIMID = words("scared afraid nervous anxious shy frightened worried careful cautious")
_MOVER = (*_WEARY, *_TIMID, *words("young slow small tiny fat blind stubborn clumsy"))
_UNWILLING = (*words("tired exhausted sick ill sleepy lazy stubborn angry old"), *_TIMID)
_JUMPER = (*_WEARY, *words("fat small tiny clumsy blind"))
_UNEASY = words(
    "noisy crowded dark dangerous scary risky closed locked blocked haunted flooded muddy humid"
)

MOVING: tuple[Frame, ...] = (
    Frame(
        "cross",
        undone("cross", "n'a pas traversé", "ne traversera", "traverser"),
        (
            Cast(
                "animal",
                "crossing",
                _MOVER,
                words(
                    "wide deep busy noisy crowded dangerous scary risky dark dirty polluted "
                    "slippery wet frozen muddy blocked flooded long large huge"
                ),
            ),
            Cast("pet", "town", _MOVER, words("noisy crowded busy big large huge dangerous scary")),
            Cast("large", "track", _MOVER, words("narrow")),
            Cast(
                "vehicle",
                "terrain",
                words("heavy old slow damaged broken"),
                words("narrow flooded wide deep slippery wet muddy frozen blocked risky"),
            ),
            Cast("army", "terrain", words("tired weak small slow exhausted"), words("wide deep")),
            Cast(
                "ship",
                "sailing",
                words("slow old heavy damaged broken small"),
                words("wide dangerous risky frozen"),
            ),
            Cast(
                "swimmer",
                "sea",
                words("tired sick ill wounded slow old weak young"),
                words("wide cold polluted"),
            ),
        ),
        share=9,
    ),
    Frame(
        "enter",
        undone("enter", "n'est pas entré{e}", "n'entrera", "entrer", "dans {y}"),
        (
            Cast("pet", "indoors", _UNWILLING, _UNEASY),
            Cast("animal", "ground", _UNWILLING, _UNEASY),
            Cast("large", "opening", words("fat big large huge"), words("low narrow small tiny")),
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
                words(
                    "quiet peaceful comfortable beautiful lovely charming pleasant big large huge"
                ),
            ),
            Cast(
                "pet",
                "room_home",
                (*_UNWILLING, *words("happy weak young")),
                words("quiet peaceful comfortable pleasant big large closed locked"),
            ),
            Cast("animal", "lockable", _UNWILLING, words("closed locked")),
            Cast("flyer", "lockable", _UNWILLING, words("closed locked comfortable")),
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
        (Cast("goer", "dest", (*_UNWILLING, "slow"), (*_UNEASY, "dirty", "polluted")),),
        determiners=False,
    ),
    Frame(
        "jump_over",
        undone("jump over", "n'a pas sauté", "ne sautera", "sauter", "par-dessus {y}"),
        (
            Cast("jumper", "obstacle", _JUMPER, words("high tall")),
            Cast("jumper", "gap", _JUMPER, words("wide deep large huge")),
        ),
    ),
    Frame(
        "climb",
        undone("climb", "n'a pas escaladé", "n'escaladera", "escalader"),
        (
            Cast(
                "climber",
                "height",
                (*_WEARY, *words("fat scared young clumsy blind")),
                words("high tall steep slippery wet frozen dangerous scary risky"),
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
            Cast(
                "hider",
                "den",
                (*_TIMID, *words("sick ill injured wounded angry")),
                words("dark quiet peaceful big large huge empty abandoned"),
            ),
            Cast(
                "pet",
                "nook",
                (*_TIMID, *words("sick ill injured wounded angry")),
                words("dark quiet peaceful big large huge empty abandoned"),
            ),
            Cast(
                "pet",
                "burrow",
                (*_TIMID, *words("sick ill injured wounded angry")),
                words("dark deep"),
            ),
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
                words("tired exhausted sick ill sleepy lazy weak"),
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
                words(
                    "slow tired lazy old fat sleepy sick ill exhausted weak young injured "
                    "wounded clumsy"
                ),
                words(cunning),
            )
            for hunter, prey, cunning in (
                ("hunter", "game", "fast quick clever smart careful cautious"),
                ("mouser", "small_game", "fast quick clever smart careful cautious"),
                ("insect_eater", "insect", "fast quick"),
                ("fisher", "small_fish", "fast quick"),
            )
        ),
        role_decides=True,
    ),
)
