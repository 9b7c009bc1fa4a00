"""Moments of training at which something appears, found in the history itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from model.recording.history import History
from model.recording.sites import KINDS, Kind
from viz.shared.text import _

ENOUGH = 0.5
"""The mean weight on the token before at which a head counts as one that looks there."""

_WORD = re.compile(r"[^\W\d_]+'?")
_ARTICLES = frozenset({"l'", "le", "la", "les", "un", "une", "des"})
_PRONOUNS = ("il", "elle")


@dataclass(frozen=True)
class Mark:
    """Something that is there at a moment for the first time; `head`: where to see it."""

    moment: int
    text: str
    head: tuple[Kind, int, int] | None = None


def find_marks(history: History, sentence: int) -> tuple[Mark, ...]:
    """Find what appears in one of the known sentences, in the order of the moments."""
    texts = [moment[sentence] for moment in history.translations]
    found = [
        _article(texts, history.sentences[sentence].target),
        _pronoun(history, sentence),
        _whole(texts, history.sentences[sentence].target),
        _before(history, sentence),
    ]
    return tuple(sorted((mark for mark in found if mark), key=lambda mark: mark.moment))


def words(text: str) -> list[str]:
    """Cut a French text into small words; an apostrophe ends one: "qu'il" -> "qu'", "il"."""
    return _WORD.findall(text.lower().replace("\u2019", "'"))


def phrases(text: str) -> list[tuple[str, str]]:
    """List the articles of a text, each with the word after it."""
    found = words(text)
    return [pair for pair in pairwise(found) if pair[0] in _ARTICLES]


def looks_before(weights: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the mean weight on the token before, (..., n, n) bytes -> (...); 0 for one token."""
    diagonal = np.diagonal(weights, offset=-1, axis1=-2, axis2=-1)  # ... n-1
    return diagonal.mean(axis=-1) / 255 if diagonal.shape[-1] else np.zeros(weights.shape[:-2])


def _first(present: Sequence[bool]) -> int | None:
    return next((moment for moment, there in enumerate(present) if there), None)


def _article(texts: Sequence[str], target: str) -> Mark | None:
    wanted = phrases(target)
    for moment, text in enumerate(texts):
        for phrase in wanted:
            if phrase in phrases(text):
                joined = "".join(phrase) if phrase[0].endswith("'") else " ".join(phrase)
                return Mark(moment, _("first right article: {phrase}").format(phrase=joined))
    return None


def _whole(texts: Sequence[str], target: str) -> Mark | None:
    moment = _first([text == target for text in texts])
    return None if moment is None else Mark(moment, _("the whole sentence as the reference has it"))


def _pronoun(history: History, sentence: int) -> Mark | None:
    """Find when this sentence and its twin, one word apart, get il and elle, each its own."""
    twin = _twin(history, sentence)
    if twin is None:
        return None
    wanted = {one: _pronouns(history.sentences[one].target) for one in (sentence, twin)}
    moment = _first(
        [
            all(_pronouns(texts[one]) == wanted[one] for one in wanted)
            for texts in history.translations
        ]
    )
    if moment is None:
        return None
    own, other = "/".join(sorted(wanted[sentence])), "/".join(sorted(wanted[twin]))
    return Mark(
        moment,
        _("{own} here, {other} in the sentence one word apart").format(own=own, other=other),
    )


def _pronouns(text: str) -> frozenset[str]:
    return frozenset(words(text)) & frozenset(_PRONOUNS)


def _twin(history: History, sentence: int) -> int | None:
    """Find the sentence that differs in one English word, with the other pronoun in French."""
    own = history.sentences[sentence]
    for number, other in enumerate(history.sentences):
        one, two = own.source.split(), other.source.split()
        if len(one) != len(two) or sum(a != b for a, b in zip(one, two, strict=True)) != 1:
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
        found = looks_before(history.attention(sentence, kind))  # M L H
        moment = _first([bool(one.max() >= ENOUGH) for one in found])
        if moment is not None and (best is None or moment < best.moment):
            layer, head = np.unravel_index(int(found[moment].argmax()), found.shape[1:])
            name = f"{kind} {layer + 1}.{head + 1}"
            text = _("a head that looks at the token before: {head}").format(head=name)
            best = Mark(moment, text, (kind, int(layer), int(head)))
    return best
