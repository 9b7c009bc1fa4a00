"""Moments of training at which something appears, found in the history itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from model.recording.history import History
from model.recording.sites import KINDS, Kind
from viz.shared.labels import head_text
from viz.shared.text import _
from viz.shared.theme import token_text

ENOUGH = 0.5
"""The mean weight on the token before at which a head counts as one that looks there."""

MEANT = 0.4
"""The weight from "it" on what it stands for, in both sentences, at which a head counts."""

_WORD = re.compile(r"[^\W\d_]+'?")
_ARTICLES = frozenset({"l'", "le", "la", "les", "un", "une", "des"})
_PRONOUNS = ("il", "elle")
_IT = "\u2581it"


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
        _meant(history, sentence),
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
            name = head_text(kind, int(layer), int(head))
            text = _("a head that looks at the token before: {head}").format(head=name)
            best = Mark(moment, text, (kind, int(layer), int(head)))
    return best


def _meant(history: History, sentence: int) -> Mark | None:
    """Find an encoder head that looks from "it" at one word here, at another in the twin."""
    twin = _twin(history, sentence)
    if twin is None:
        return None
    tokens, others = (history.sentences[one].source_tokens for one in (sentence, twin))
    if len(tokens) != len(others) or _IT not in tokens:
        return None
    same = np.array([a == b for a, b in zip(tokens, others, strict=True)])  # n
    row = tokens.index(_IT)
    own, other = (history.attention(one, "encoder")[..., row, :] for one in (sentence, twin))
    own, other = own * same / 255, other * same / 255  # M L H n
    differs = own.argmax(-1) != other.argmax(-1)
    strength = np.where(differs, np.minimum(own.max(-1), other.max(-1)), 0)  # M L H
    moment = _first([bool(one.max() >= MEANT) for one in strength])
    if moment is None:
        return None
    layer, head = np.unravel_index(int(strength[moment].argmax()), strength.shape[1:])
    here, there = (looks[moment, layer, head].argmax() for looks in (own, other))
    text = _(
        "a head that looks from it at {key} here, at {other} in the sentence one word apart: {head}"
    ).format(
        key=token_text(tokens[here]),
        other=token_text(tokens[there]),
        head=head_text("encoder", int(layer), int(head)),
    )
    return Mark(moment, text, ("encoder", int(layer), int(head)))
