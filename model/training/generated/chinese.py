"""Generated Chinese-English pairs of the kind that people type, for a model from Chinese.

Frames (`chinese_frames.tsv`) are filled from tables: greetings, names, places, numbers, times,
grammar in minimal pairs, and the words of the field. [a|b] in the Chinese is any of the two; an
English [a|b] follows the last Chinese one with as many. Real pairs get noise, alike on both sides
(`chinese_noise.py`). Sentences of the public test sets are left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache

from model.training.data.pairs import Pair
from model.training.data.samples import is_visitor_sentence
from model.training.generated.chinese_noise import noisy
from model.training.generated.chinese_words import Term, draw
from model.training.generated.frame import words
from model.training.generated.grammar import capitalised
from model.training.generated.tables import rows

_SLOT = re.compile(r"\{(\w+?)(\d?)(?::(\w+))?\}")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SENTENCE = re.compile(r"(?<=[.?!] )[a-z]")
_ALONE = words(
    "city city country country province capital name name title animal goods food job kin colour "
    "weekday month adj hobby language term part sight festival number big tool drink spot "
    "office mate stuff"
)
_GROUPS = {
    "greeting": 10,
    "people": 15,
    "places": 16,
    "numbers": 16,
    "time": 10,
    "grammar": 26,
    "senses": 12,
    "computing": 13,
    "self": 9,
}
"""The groups of frames, and how often each is chosen."""

_FROM_CORPUS = 0.3
"""The share of real pairs with noise."""

_NOISY = 0.13
"""The share of the other pairs that get noise."""

_LONGEST = 40
"""The longest Chinese sentence that gets noise, in characters: people type short sentences."""


@cache
def _frames(group: str) -> tuple[tuple[str, str], ...]:
    table = rows("chinese_frames.tsv")
    return tuple((row["chinese"], row["english"]) for row in table if row["group"] == group)


def chosen(chinese: str, english: str, rng: random.Random) -> tuple[str, str]:
    """Choose among the alternatives of a frame; those of the English follow the Chinese."""
    drawn: dict[int, int] = {}

    def choose(match: re.Match[str]) -> str:
        options = match[1].split("|")
        drawn[len(options)] = rng.randrange(len(options))
        return options[drawn[len(options)]]

    def follow(match: re.Match[str]) -> str:
        options = match[1].split("|")
        return options[drawn[len(options)]]

    return _CHOICE.sub(choose, chinese), _CHOICE.sub(follow, english)


def filled(chinese: str, english: str, rng: random.Random) -> Pair:
    """Fill the slots of a frame; raises KeyError for a slot that no table has."""
    pair = _words_filled(chinese, english, rng)
    return Pair(pair.source, _capitals(pair.target))


def _capitals(english: str) -> str:
    return _SENTENCE.sub(lambda match: match[0].upper(), capitalised(english))


def _words_filled(chinese: str, english: str, rng: random.Random) -> Pair:
    chinese, english = chosen(chinese, english, rng)
    drawn: dict[str, Term] = {}
    for kind, digit, _ in _SLOT.findall(chinese):
        while kind + digit not in drawn:
            term, others = draw(kind, rng), drawn.values()
            if not any(term.english == o.english or term.chinese == o.chinese for o in others):
                drawn[kind + digit] = term

    def in_chinese(match: re.Match[str]) -> str:
        return drawn[match[1] + match[2]].in_chinese(match[3] or "")

    def in_english(match: re.Match[str]) -> str:
        term, form = drawn[match[1] + match[2]], match[3] or ""
        return term.agreeing(drawn[form]) if form in drawn else term.in_english(form)

    return Pair(_SLOT.sub(in_chinese, chinese), _SLOT.sub(in_english, english))


def _from_frame(rng: random.Random) -> Pair:
    group = rng.choices(list(_GROUPS), list(_GROUPS.values()))[0]
    pair = _words_filled(*rng.choice(_frames(group)), rng)
    if pair.source[-1] in "。！？":
        return Pair(pair.source, _capitals(pair.target))
    return _styled(pair, rng)


def _alone(rng: random.Random) -> Pair:
    """Write a single word or name."""
    term = draw(rng.choice(_ALONE), rng)
    return _styled(Pair(term.chinese, term.english), rng)


def _styled(pair: Pair, rng: random.Random) -> Pair:
    """Write a word or phrase with or without a mark, and with or without a capital."""
    english = capitalised(pair.target) if rng.random() < 0.6 else pair.target
    marks = (("", ""), ("。", "."), ("！", "!"), ("？", "?"))
    chinese_mark, mark = rng.choices(marks, (64, 24, 8, 4))[0]
    return Pair(pair.source + chinese_mark, english + mark)


def _two(rng: random.Random) -> Pair:
    """Join two sentences."""
    pairs: list[Pair] = []
    while len(pairs) < 2:
        pair = _from_frame(rng)
        if pair.source[-1] in "。！？" and not is_visitor_sentence(pair.source):
            pairs.append(pair)
    between = "" if rng.random() < 0.8 else " "
    first, second = pairs
    return Pair(first.source + between + second.source, f"{first.target} {second.target}")


def chinese_pairs(corpus: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Make `count` Chinese-English pairs, of frames and of noisy pairs of the corpus, if any.

    `corpus` may hold pairs of any length; without a corpus there are frames alone.
    """
    rng = random.Random(seed)
    short = [pair for pair in corpus if 0 < len(pair.source) <= _LONGEST]
    kinds: tuple[Callable[[random.Random], Pair], ...] = (_from_frame, _alone, _two)
    pairs: list[Pair] = []
    while len(pairs) < count:
        real = bool(short) and rng.random() < _FROM_CORPUS
        pair = rng.choice(short) if real else rng.choices(kinds, (80, 14, 6))[0](rng)
        if is_visitor_sentence(pair.source):
            continue
        pair = noisy(pair, rng) if real or rng.random() < _NOISY else pair
        if pair.source and not is_visitor_sentence(pair.source):
            pairs.append(pair)
    return pairs
