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

_WEARY = words("tired exhausted sick ill weak lazy sleepy old injured wounded hungry thirsty")
_TIMID = words("scared afraid nervous anxious shy frightened worried careful cautious")
_MOVER = (*_WEARY, *_TIMID, *words("young slow small tiny fat blind stubborn clumsy"))
_UNWILLING = (*words("tired exhausted sick ill sleepy lazy stubborn angry old"), *_TIMID)
_JUMPER = (*_WEARY, *words("fat small tiny clumsy blind"))
_UNEASY = words(
    "noisy crowded dark dangerous scary risky closed locked blocked haunted flooded muddy humid"
)

_MOVING = (
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

_MEALS = (
    ("carnivore", "flesh", words("salty hard dry cold hot burnt spicy raw rotten greasy sour")),
    ("herbivore", "greens", words("hard dry bitter sweet burnt sour raw rotten")),
    (
        "omnivore",
        "dish",
        words("salty spicy hard dry cold hot bitter burnt sweet sour raw rotten greasy"),
    ),
)
_EATING = (
    Frame(
        "finish",
        (Wording("{x} didn't finish {y}", "{x} n'a pas fini {y}"),),
        tuple(
            Cast(
                eater,
                food,
                words("tired sick ill sleepy nervous anxious sad slow impatient angry stubborn"),
                taste,
            )
            for eater, food, taste in _MEALS
        ),
        share=3,
    ),
    Frame(
        "eat",
        (Wording("{x} didn't eat {y}", "{x} n'a pas mangé {y}"),),
        tuple(
            Cast(
                eater,
                food,
                words("tired sleepy sad old scared frightened exhausted angry anxious ill"),
                taste,
            )
            for eater, food, taste in _MEALS
        ),
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
                    "strong interesting modern comfortable pleasant solid new"
                ),
                words(
                    "expensive costly small tiny big large huge heavy ugly horrible old useless "
                    "boring difficult complicated strange long short thin thick"
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

FRAMES: tuple[Frame, ...] = _MOVING + _EATING + _HANDLING
