"""The moments of training at which something appears, found in the history itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.recording.history import CUTS, History
from model.sites.sites import KINDS, Kind
from model.words import find_word, words_of
from viz.figures.labels import head_text
from viz.language.text import _

ENOUGH = 0.5
"""The mean weight on the token before from which on a head counts as looking there."""

MEANT = 0.4
"""The weight from "it" to its noun, in both sentences, from which on a head counts."""

LOST = 0.25
"""The share of right pronouns that a cut must cost for its link to count as a cause."""

_WORD = re.compile(r"[^\W\d_]+'?")
_ARTICLES = frozenset({"l'", "le", "la", "les", "un", "une", "des"})
_PRONOUNS = ("il", "elle")


@dataclass(frozen=True)
class Mark:
    """Something that first appears at a moment; `head` shows it.

    `short` is its name on a flag in the chart. `cell` is its place in the head: the query, the
    first and the last key. The page's finding is about the marks that are `told`.
    """

    moment: int
    text: str
    short: str
    head: tuple[Kind, int, int] | None = None
    cell: tuple[int, int, int] | None = None
    told: bool = False


def find_marks(history: History, sentence: int, story: StoryPair | None = None) -> tuple[Mark, ...]:
    """Find the marks of a sentence of the history, by its number, in the order of the moments.

    `story` names the noun that "it" stands for; without a story, no mark is about that noun.
    """
    translations = [moment[sentence] for moment in history.translations]
    seen = looks_at_meant(history, sentence, story)
    marks = [
        _article(translations, history.sentences[sentence].target),
        _pronoun(history, sentence),
        _whole(translations, history.sentences[sentence].target),
        _before(history, sentence),
        seen,
        *(_causes(history, story.asks) if seen and story else []),
    ]
    return tuple(sorted((mark for mark in marks if mark), key=lambda mark: mark.moment))


def words(sentence: str) -> list[str]:
    """Cut a French text into small words; an apostrophe ends one: "qu'il" -> "qu'", "il"."""
    return _WORD.findall(sentence.lower().replace("\u2019", "'"))


def phrases(sentence: str) -> list[tuple[str, str]]:
    """List the French articles of a text, each with the next word."""
    tokens = words(sentence)
    return [pair for pair in pairwise(tokens) if pair[0] in _ARTICLES]


def looks_before(weights: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the mean weight (...) on the token before, of bytes (..., n, n); 0 for one token."""
    diagonal = np.diagonal(weights, offset=-1, axis1=-2, axis2=-1)  # ... n-1
    return diagonal.mean(axis=-1) / 255 if diagonal.shape[-1] else np.zeros(weights.shape[:-2])


def _first(present: Sequence[bool]) -> int | None:
    return next((moment for moment, there in enumerate(present) if there), None)


def _article(translations: Sequence[str], target: str) -> Mark | None:
    wanted = phrases(target)
    for moment, translation in enumerate(translations):
        for phrase in wanted:
            if phrase in phrases(translation):
                joined = "".join(phrase) if phrase[0].endswith("'") else " ".join(phrase)
                text = _("first right article: {phrase}").format(phrase=joined)
                return Mark(moment, text, joined)
    return None


def _whole(translations: Sequence[str], target: str) -> Mark | None:
    moment = _first([translation == target for translation in translations])
    if moment is None:
        return None
    return Mark(moment, _("the whole sentence as the reference has it"), _("whole sentence"))


def _pronoun(history: History, sentence: int) -> Mark | None:
    """Find when this sentence and its twin, one word apart, each get their right pronoun."""
    twin = _twin(history, sentence)
    if twin is None:
        return None
    wanted = {number: _pronouns(history.sentences[number].target) for number in (sentence, twin)}
    moment = _first(
        [
            all(_pronouns(translations[number]) == wanted[number] for number in wanted)
            for translations in history.translations
        ]
    )
    if moment is None:
        return None
    own, other = "/".join(sorted(wanted[sentence])), "/".join(sorted(wanted[twin]))
    return Mark(
        moment,
        _("{own} here, {other} in the sentence one word apart").format(own=own, other=other),
        f"{own} / {other}",
    )


def _pronouns(sentence: str) -> frozenset[str]:
    return frozenset(words(sentence)) & frozenset(_PRONOUNS)


def _twin(history: History, sentence: int) -> int | None:
    """Find the sentence that differs in one English word, with the other pronoun in French."""
    own = history.sentences[sentence]
    for number, other in enumerate(history.sentences):
        first, second = own.source.split(), other.source.split()
        if (
            len(first) != len(second)
            or sum(a != b for a, b in zip(first, second, strict=True)) != 1
        ):
            continue
        if {_pronouns(own.target), _pronouns(other.target)} == {
            frozenset({name}) for name in _PRONOUNS
        }:
            return number
    return None


def _before(history: History, sentence: int) -> Mark | None:
    best: Mark | None = None
    for kind in KINDS:
        if kind == "cross":
            continue
        looks = looks_before(history.attention(sentence, kind))  # M L H
        moment = _first([bool(strongest.max() >= ENOUGH) for strongest in looks])
        if moment is not None and (best is None or moment < best.moment):
            layer, head = np.unravel_index(int(looks[moment].argmax()), looks.shape[1:])
            name = head_text(kind, int(layer), int(head))
            template = _("a head that looks at the token before: {head}").format(head=name)
            best = Mark(moment, template, _("token before"), (kind, int(layer), int(head)))
    return best


def looks_at_meant(history: History, sentence: int, story: StoryPair | None) -> Mark | None:
    """Find when an encoder head looks from "it" at the right noun in both story sentences."""
    sources = [strongest.source for strongest in history.sentences]
    own = sources[sentence]
    pair = (story.first, story.second) if story else ()
    if story is None or not story.asks or own not in pair or not set(pair) <= set(sources):
        return None
    try:
        looks = [
            _weight(history, sources.index(source), story.asks, noun)
            for source, noun in zip(pair, story.source, strict=True)
        ]
    except ValueError:  # the sentence lacks a word of the story
        return None
    both = np.minimum(*looks)  # M L H
    moment = _first([bool(strongest.max() >= MEANT) for strongest in both])
    if moment is None:
        return None
    layer, head = np.unravel_index(int(both[moment].argmax()), both.shape[1:])
    here, there = story.source if own == story.first else story.source[::-1]
    label = _(
        "a head that looks from {word} at {key} here, at {other} in the sentence one word apart: "
        "{head}"
    ).format(
        word=story.asks, key=here, other=there, head=head_text("encoder", int(layer), int(head))
    )
    cell = _place(history, sentence, story.asks, here)
    place: tuple[Kind, int, int] = ("encoder", int(layer), int(head))
    return Mark(moment, label, _("looks"), place, cell, told=True)


@dataclass(frozen=True)
class Cause:
    """The moment at which cutting the link from "it" first costs `LOST`, and the first measured.

    `with_link` and `cut` are the shares of right pronouns, each first and then at `moment`. The
    `dip` is the time between, while fewer pronouns are right than at first. The model is `trained`
    for this if it did without the link at the beginning of the run that first measured it.
    """

    measured: int
    moment: int
    with_link: tuple[float, float]
    cut: tuple[float, float]
    dip: tuple[int, ...]
    trained: bool

    @property
    def points(self) -> float:
        """Return what the cut costs at `moment`, in points of 100."""
        return 100 * (self.with_link[1] - self.cut[1])


def becomes_cause(history: History) -> Cause | None:
    """Find when cutting the link from "it" first costs `LOST`; None if never or not measured."""
    right, cut = (
        history.cuts[:, CUTS.index(name)] for name in ("none", "link")
    )  # M, NaN where unknown
    moment = _first((right - cut >= LOST).tolist())
    if moment is None:
        return None
    measured = int(np.flatnonzero(~np.isnan(right - cut))[0])
    at = [measured, moment]
    dip = np.flatnonzero(right[:moment] < right[measured])
    with_link, without = (tuple(shares[at].tolist()) for shares in (right, cut))
    trained = measured in history.runs and with_link[0] - without[0] < LOST
    return Cause(measured, moment, with_link, without, tuple(dip.tolist()), trained)


def _causes(history: History, word: str) -> list[Mark]:
    """Mark when the link became a cause, and where the training for it began."""
    cause = becomes_cause(history)
    if cause is None:
        return []
    template = _("cutting the link from {word} costs {points} points")
    claim = template.format(word=word, points=f"{cause.points:.0f}")
    marks = [Mark(cause.moment, claim, _("matters"), told=True)]
    if cause.trained:
        template = _(
            "from here on it is trained to need the link; so far {right} right, {cut} without"
        )
        right, cut = (f"{share:.0%}" for share in (cause.with_link[0], cause.cut[0]))
        text = template.format(right=right, cut=cut)
        marks.append(Mark(cause.measured, text, _("trained for it"), told=True))
    return marks


def _weight(history: History, sentence: int, query: str, key: str) -> NDArray[np.float64]:
    """Return the weight from one word to another in each encoder head at each moment, (M, L, H)."""
    row, first, last = _place(history, sentence, query, key)
    weights = history.attention(sentence, "encoder")[..., row, :]  # M L H n
    return weights[..., first : last + 1].sum(-1) / 255


def _place(history: History, sentence: int, query: str, key: str) -> tuple[int, int, int]:
    """Return the first piece of a word, and the first and the last piece of another."""
    words_there = words_of(history.sentences[sentence].source_tokens)
    looked_at = find_word(words_there, key)
    return find_word(words_there, query).first, looked_at.first, looked_at.last
