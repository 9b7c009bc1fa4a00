"""Generated English-French pairs in which the gender of "it" depends on its noun.

"The animal didn't cross the street because it was too tired." French must choose between il (the
animal) and elle (the street). Real text has few such sentences, so training adds generated ones. A
fifth of the nouns, a fifth of the adjectives, one whole frame and the demo sentences (animal and
street together) are kept out of training and used for the test.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

from model.training.generated.frame import Cast, Frame, Wording
from model.training.generated.frames import FRAMES
from model.training.generated.lexicon import (
    Adjective,
    Determiner,
    Gender,
    Noun,
    adjectives,
    contracted,
    noun_phrase,
    nouns,
    subject_clause,
)

Role = Literal["first", "second"]
Split = Literal["train", "unseen noun", "unseen adjective", "unseen both"]

HELD_OUT_SIZE = 16  # pairs for each frame and kind of unseen word
HELD_OUT_FRAME_SIZE = 400
DEMO = frozenset(("animal", "street"))
SAME_GENDER_SHARE = 0.2  # of the training pairs, in which il/elle does not reveal the noun's role
_DEGREES = {"too": "trop ", "so": "si ", "very": "très ", "": ""}


@dataclass(frozen=True)
class CoreferencePair:
    """A sentence pair and the noun of "it" in it.

    `antecedent` is the first or the second noun. `antecedent_word` and `other_word` are English
    head nouns, `gender` is the antecedent's in French, `adjective` the English word that decides.
    """

    source: str
    target: str
    frame: str
    antecedent: Role
    antecedent_word: str
    other_word: str
    gender: Gender
    adjective: str


@dataclass(frozen=True)
class MinimalPair:
    """Two sentences that are equal up to "it", which stands for a different noun in each.

    The adjective decides: "... because it was too tired", "... because it was too wide". The two
    nouns differ in gender, so one sentence has il and the other elle. `swapped` holds both
    translations with pronoun and adjective agreeing with the other noun.
    """

    sentences: tuple[CoreferencePair, CoreferencePair]
    swapped: tuple[str, str]


@dataclass(frozen=True)
class _Core:
    """A pair before its wording is chosen."""

    frame: Frame
    first: Noun
    second: Noun
    role: Role
    adjective: Adjective

    @property
    def antecedent(self) -> Noun:
        return self.first if self.role == "first" else self.second

    @property
    def other(self) -> Noun:
        return self.second if self.role == "first" else self.first

    @property
    def cell(self) -> tuple[Role, Gender, bool]:
        """Name the balanced properties: role, il or elle, and if the genders differ."""
        return (self.role, self.antecedent.gender, self.first.gender != self.second.gender)

    @property
    def split(self) -> Split:
        noun = self.first.held or self.second.held
        if self.adjective.held:
            return "unseen both" if noun else "unseen adjective"
        return "unseen noun" if noun else "train"


def _actors(cast: Cast) -> Iterator[tuple[Noun, Noun]]:
    firsts, seconds = (
        [noun for noun in nouns() if cast.kin or of in noun.classes]
        for of in (cast.first, cast.second)
    )
    for first, second in product(firsts, seconds):
        if first is second or {first.english, second.english} == DEMO:
            continue
        shared = first.classes & second.classes
        if not cast.kin or any(name.startswith(cast.first) for name in shared):
            yield first, second


@cache
def _cores(frame: Frame) -> tuple[_Core, ...]:
    """List everything that the frame can say, in a fixed order, without repeats."""
    cores: dict[tuple[str, str, Role, str], _Core] = {}
    lexicon = adjectives()
    for cast in frame.casts:
        roles: tuple[tuple[Role, tuple[str, ...]], ...] = (
            ("first", cast.because_first),
            ("second", cast.because_second),
        )
        for first, second in _actors(cast):
            for role, words in roles:
                antecedent, other = (first, second) if role == "first" else (second, first)
                for word in words:
                    fits_both = word in other.adjectives and not frame.role_decides
                    if word in antecedent.adjectives and not fits_both:
                        core = _Core(frame, first, second, role, lexicon[word])
                        cores[first.english, second.english, role, word] = core
    return tuple(cores.values())


def _determiners(core: _Core, rng: random.Random) -> tuple[Determiner, Determiner]:
    """Choose two determiners, mostly "the"; at most one is "this", "my" or "our"."""
    draw = rng.random()
    if not core.frame.determiners or draw < 0.76:
        return "the", "the"
    if draw < 0.84:
        return "this", "the"
    if draw < 0.90:
        return "the", "this"
    owned: Determiner = "my" if draw < 0.96 else "our"
    return (owned, "the") if "owned" in core.first.classes else ("the", "the")


def _degree(core: _Core, rng: random.Random) -> str:
    choices = core.frame.degrees[0 if core.role == "first" else 1]
    allowed = [(word, weight) for word, weight in choices if core.adjective.takes(word)]
    if not allowed:  # the adjective takes neither "too" nor "very", such as closed or cheaper
        return ""
    words, weights = zip(*allowed, strict=True)
    return rng.choices(words, weights)[0]


def _main_clause(
    core: _Core, wording: Wording, determiners: tuple[Determiner, Determiner]
) -> tuple[str, str]:
    on_first, on_second = determiners
    y = noun_phrase(core.second, on_second)
    english = wording.english.format(
        x=f"{on_first} {core.first.english}", y=f"{on_second} {core.second.english}"
    )
    french = wording.french.format(
        x=noun_phrase(core.first, on_first),
        y=y,
        de_y=contracted("de", y),
        a_y=contracted("à", y),
        e="e" if core.first.gender == "f" else "",
    )
    return english[0].upper() + english[1:], french[0].upper() + french[1:]


def _word(core: _Core, rng: random.Random) -> CoreferencePair:
    """Choose wording, determiners and degree, and write the two sentences."""
    wordings = core.frame.wordings
    wording = rng.choices(wordings, [wording.weight for wording in wordings])[0]
    determiners = _determiners(core, rng)
    return _write(core, wording, determiners, _degree(core, rng))


def _write(
    core: _Core,
    wording: Wording,
    determiners: tuple[Determiner, Determiner],
    degree: str,
    gender: Gender | None = None,
) -> CoreferencePair:
    """Write both sentences; French agrees with `gender`, by default the antecedent's."""
    english, french = _main_clause(core, wording, determiners)
    gender = gender or core.antecedent.gender
    be = "is" if wording.present else "was"
    if core.adjective.verb == "avoir":
        verb = "a" if wording.present else "avait"
    else:
        verb = "est" if wording.present else "était"
    reason = f"{degree} {core.adjective.english}".strip()
    raison = f"{subject_clause(gender)} {verb} {_DEGREES[degree]}{core.adjective.french(gender)}"
    return CoreferencePair(
        source=f"{english} because it {be} {reason}.",
        target=f"{french} {raison}.",
        frame=core.frame.name,
        antecedent=core.role,
        antecedent_word=core.antecedent.english,
        other_word=core.other.english,
        gender=gender,
        adjective=core.adjective.english,
    )


class _Cell:
    """The cores of one cell of a frame; a draw chooses the adjective first, then the nouns."""

    def __init__(self, cores: list[_Core]) -> None:
        self._by_adjective: dict[str, list[_Core]] = defaultdict(list)
        for core in cores:
            self._by_adjective[core.adjective.english].append(core)
        self._adjectives = list(self._by_adjective)
        # Between "every adjective equally" and "every sentence equally", so that an adjective
        # that fits few nouns does not repeat the same few sentences.
        self._weights = [len(same) ** 0.5 for same in self._by_adjective.values()]

    def draw(self, rng: random.Random, seen: set[str]) -> CoreferencePair | None:
        """Draw a pair whose English is not in `seen`; None when hardly any can be left."""
        for _ in range(200):
            word = rng.choices(self._adjectives, self._weights)[0]
            pair = _word(rng.choice(self._by_adjective[word]), rng)
            if pair.source not in seen:
                seen.add(pair.source)
                return pair
        return None


@cache
def _cells(frame: Frame, split: Split) -> dict[tuple[Role, Gender, bool], _Cell]:
    """Group the possible sentences of a frame and split by the balanced properties."""
    grouped: dict[tuple[Role, Gender, bool], list[_Core]] = defaultdict(list)
    for core in _cores(frame):
        if core.split == split:
            grouped[core.cell].append(core)
    return {key: _Cell(cores) for key, cores in grouped.items()}


def _sample(
    cells: dict[tuple[Role, Gender, bool], _Cell],
    count: int,
    rng: random.Random,
    seen: set[str],
    same_gender: float,
) -> list[CoreferencePair]:
    """Draw `count` pairs of one frame, with equal parts of both roles and of il and elle."""
    pairs: list[CoreferencePair] = []
    quarters: tuple[tuple[Role, Gender], ...] = (
        ("first", "m"),
        ("second", "f"),
        ("first", "f"),
        ("second", "m"),
    )
    while len(pairs) < count:
        differs = rng.random() >= same_gender
        drawn = [
            cells[key].draw(rng, seen) if (key := (role, gender, differs)) in cells else None
            for role, gender in quarters
        ]
        if any(pair is None for pair in drawn):
            break  # one quarter is used up: more pairs would unbalance the frame
        pairs.extend(pair for pair in drawn if pair is not None)
    return pairs[:count]


def training_pairs(count: int, seed: int) -> list[CoreferencePair]:
    """Generate `count` distinct pairs of known frames, nouns and adjectives, in random order.

    Raises ValueError when that many cannot be generated.
    """
    rng = random.Random(seed)
    # The largest frame comes last and makes up for pairs that small frames cannot yield.
    frames = sorted((frame for frame in FRAMES if not frame.held), key=lambda frame: frame.share)
    shares = sum(frame.share for frame in frames)
    seen: set[str] = set()
    pairs: list[CoreferencePair] = []
    for frame in frames:
        missing = -(-(count - len(pairs)) * frame.share // shares // 4) * 4  # a multiple of 4
        pairs += _sample(_cells(frame, "train"), missing, rng, seen, SAME_GENDER_SHARE)
        shares -= frame.share
    if len(pairs) < count:
        raise ValueError(f"{count} training pairs asked for, expected at most {len(pairs)}")
    rng.shuffle(pairs)
    return pairs[:count]


@cache
def _partners(held: bool, unseen: bool) -> dict[str, list[tuple[list[_Core], list[_Core]]]]:
    """List, by frame, the cores about the first and about the second of two nouns.

    The frames are the `held` one or all others; `unseen` words are those that training never sees.
    """
    by_frame: dict[str, list[tuple[list[_Core], list[_Core]]]] = {}
    for frame in FRAMES:
        grouped: dict[tuple[str, str], tuple[list[_Core], list[_Core]]] = {}
        for core in _cores(frame) if frame.held == held else ():
            if (core.split != "train") == unseen and core.first.gender != core.second.gender:
                about = grouped.setdefault((core.first.english, core.second.english), ([], []))
                about[core.role == "second"].append(core)
        if partners := [about for about in grouped.values() if all(about)]:
            by_frame[frame.name] = partners
    return by_frame


def _minimal_pair(
    partners: dict[str, list[tuple[list[_Core], list[_Core]]]], rng: random.Random
) -> MinimalPair:
    cores = [rng.choice(about) for about in rng.choice(partners[rng.choice(list(partners))])]
    rng.shuffle(cores)
    wordings = cores[0].frame.wordings
    wording = rng.choices(wordings, [wording.weight for wording in wordings])[0]
    determiners = _determiners(cores[0], rng)
    degrees = [_degree(core, rng) for core in cores]
    first, second = (
        _write(core, wording, determiners, degree)
        for core, degree in zip(cores, degrees, strict=True)
    )
    first_swapped, second_swapped = (
        _write(core, wording, determiners, degree, gender).target
        for core, degree, gender in zip(cores, degrees, (second.gender, first.gender), strict=True)
    )
    return MinimalPair((first, second), (first_swapped, second_swapped))


def minimal_pairs(count: int, seed: int) -> list[MinimalPair]:
    """Draw `count` minimal pairs of the frames, nouns and adjectives of training."""
    rng, partners = random.Random(seed), _partners(held=False, unseen=False)
    return [_minimal_pair(partners, rng) for _ in range(count)]


def held_out_minimal_pairs(count: int, unseen_frame: bool) -> list[MinimalPair]:
    """Draw `count` distinct minimal pairs that training never sees.

    They are of the frame that training never sees, or of known frames with an unseen noun or
    adjective in each sentence.
    """
    rng = random.Random(4)
    partners = _partners(held=unseen_frame, unseen=not unseen_frame)
    by_sources: dict[tuple[str, ...], MinimalPair] = {}
    while len(by_sources) < count:
        pair = _minimal_pair(partners, rng)
        by_sources[tuple(sorted(sentence.source for sentence in pair.sentences))] = pair
    return list(by_sources.values())


def held_out_known_frames() -> list[CoreferencePair]:
    """Generate the test pairs with an unseen noun, an unseen adjective or both, in known frames.

    The two nouns always differ in gender, so that il or elle shows the chosen noun.
    """
    rng = random.Random(1)
    frames = [frame for frame in FRAMES if not frame.held]
    splits: tuple[Split, ...] = ("unseen noun", "unseen adjective", "unseen both")
    seen: set[str] = set()
    pairs: list[CoreferencePair] = []
    for frame in frames:
        for split in splits:
            pairs.extend(_sample(_cells(frame, split), HELD_OUT_SIZE, rng, seen, 0.0))
    return pairs


def held_out_frame() -> list[CoreferencePair]:
    """Generate the test pairs of the frame that training never sees, with known words."""
    rng = random.Random(2)
    seen: set[str] = set()
    return [
        pair
        for frame in FRAMES
        if frame.held
        for pair in _sample(_cells(frame, "train"), HELD_OUT_FRAME_SIZE, rng, seen, 0.0)
    ]
