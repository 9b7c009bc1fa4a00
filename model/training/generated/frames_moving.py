"""The frames in which an animal or a vehicle goes somewhere, or does not: see frames.py."""

from __future__ import annotations

from model.training.generated.frame import EXCESS, QUALITY, Cast, Frame, Wording, undone, words
from model.training.generated.reasons import GLOOMY, SILLY, TIMID, UNEASY, WEARY

_MOVER = (
    *WEARY,
    *TIMID,
    *GLOOMY,
    *SILLY,
    *words("young slow small tiny fat clumsy dead satisfied"),
)
_UNWILLING = (
    *WEARY,
    *TIMID,
    *GLOOMY,
    *words("polite distracted asleep dead calm wise kind friendly wild satisfied"),
)
_STAYING = (
    *_UNWILLING,
    *words("happy young faithful patient grateful confident cheerful greedy"),
)
_JUMPER = (*WEARY, *words("fat small tiny clumsy blind stupid silly asleep terrified helpless"))
_BOLD = words(
    "excited brave quick fast hungry scared terrified furious young crazy happy clever confident "
    "healthy cheerful aggressive careless wild mad insane"
)
_INVITING = words(
    "quiet peaceful comfortable beautiful lovely charming pleasant big large huge safe sunny cool "
    "clean silent spacious wonderful amazing fantastic perfect warm pretty"
)
_HIDING = words(
    "dark quiet peaceful big large huge empty abandoned safe secret silent deserted isolated "
    "remote gloomy warm dry perfect"
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
                    "slippery wet frozen muddy blocked flooded long large huge icy snowy foggy "
                    "windy loud dusty bumpy filthy private rough stormy smelly awful unpleasant "
                    "frightening disgusting weird popular"
                ),
            ),
            Cast(
                "pet",
                "town",
                _MOVER,
                words(
                    "noisy crowded busy big large huge dangerous scary loud filthy smelly awful "
                    "disgusting popular famous"
                ),
            ),
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
                words("wide dangerous risky frozen icy rough stormy foggy"),
            ),
            Cast(
                "swimmer",
                "sea",
                words("tired sick ill wounded slow old weak young"),
                words("wide cold polluted icy rough stormy filthy"),
            ),
        ),
        share=9,
    ),
    Frame(
        "enter",
        undone("enter", "n'est pas entré{e}", "n'entrera", "entrer", "dans {y}"),
        (
            Cast("pet", "indoors", _UNWILLING, UNEASY),
            Cast("animal", "ground", _UNWILLING, UNEASY),
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
                _STAYING,
                _INVITING,
            ),
            Cast(
                "pet",
                "room_home",
                _STAYING,
                (*_INVITING, *words("closed locked")),
            ),
            Cast("animal", "lockable", _UNWILLING, words("closed locked")),
            Cast("flyer", "lockable", _UNWILLING, words("closed locked comfortable perfect warm")),
            Cast("sleeper", "seat", _UNWILLING, words("comfortable soft warm perfect")),
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
        (
            Cast(
                "goer",
                "dest",
                (*_UNWILLING, "slow", "lost"),
                (*UNEASY, *words("dirty polluted far remote")),
            ),
        ),
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
        "jump",
        (
            Wording("{x} jumped over {y}", "{x} a sauté par-dessus {y}", 3),
            Wording("{x} jumps over {y}", "{x} saute par-dessus {y}", 2, True),
        ),
        (
            Cast("jumper", "obstacle", _BOLD, words("low")),
            Cast("jumper", "gap", _BOLD, words("narrow dirty filthy")),
        ),
        degrees=(QUALITY, QUALITY),
        share=1,
    ),
    Frame(
        "climb",
        undone("climb", "n'a pas escaladé", "n'escaladera", "escalader"),
        (
            Cast(
                "climber",
                "height",
                (*_JUMPER, *words("scared young dumb foolish")),
                words("high tall steep slippery wet frozen dangerous scary risky icy windy snowy"),
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
                (*TIMID, *GLOOMY, *words("sick ill injured wounded hurt lost")),
                _HIDING,
            ),
            Cast(
                "pet",
                "nook",
                (*TIMID, *GLOOMY, *words("sick ill injured wounded hurt lost")),
                _HIDING,
            ),
            Cast(
                "pet",
                "burrow",
                (*TIMID, *GLOOMY, *words("sick ill injured wounded hurt lost")),
                words("dark deep secret cool"),
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
                words(
                    "tired exhausted sick ill sleepy lazy weak drunk lonely sad calm depressed "
                    "discouraged unconscious satisfied"
                ),
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
            Cast("puller", "load", (*WEARY, "young"), words("heavy")),
            Cast("small_puller", "small_load", (*WEARY, "young"), words("heavy full")),
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
                    "wounded clumsy hurt stupid dumb silly drunk blind distracted skinny kind "
                    "friendly overweight careless innocent ignorant cheerful discouraged"
                ),
                words(cunning),
            )
            for hunter, prey, cunning in (
                (
                    "hunter",
                    "game",
                    "fast quick clever smart careful cautious intelligent suspicious wise",
                ),
                (
                    "mouser",
                    "small_game",
                    "fast quick clever smart careful cautious intelligent suspicious wise",
                ),
                ("insect_eater", "insect", "fast quick"),
                ("fisher", "small_fish", "fast quick"),
            )
        ),
        role_decides=True,
    ),
    Frame(
        "follow",
        undone("follow", "n'a pas suivi", "ne suivra", "suivre"),
        (
            Cast(
                "animal",
                "game",
                words(
                    "slow tired lazy old fat sleepy sick ill exhausted weak injured proud stubborn "
                    "scared afraid shy selfish asleep drunk blind upset sad serious mad frustrated "
                    "annoyed overweight discouraged confident"
                ),
                words("fast quick"),
            ),
            Cast(
                "pet",
                "vehicle",
                words("tired lazy sleepy sick ill exhausted weak hurt scared afraid shy asleep"),
                words("fast"),
            ),
        ),
        role_decides=True,
    ),
)
