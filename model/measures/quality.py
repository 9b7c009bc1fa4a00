"""BLEU and chrF of translations with references, equal to sacrebleu's defaults.

BLEU (Papineni et al. 2002) uses the words of mteval-v13a and sacrebleu's smoothing of orders
without a match. chrF (Popović 2015) uses six orders of characters and beta 2. Scores go from 0 to
100.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_SPLITS = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
WORDS, CHARACTERS, BETA = 4, 6, 2.0
"""The longest groups of words and of characters; the weight of recall against precision."""


def bleu(said: Sequence[str], references: Sequence[str]) -> float:
    """Return the BLEU of a corpus; ValueError when it is empty or lacks a reference."""
    _check(said, references)
    matches, totals = [0] * WORDS, [0] * WORDS
    length = reference_length = 0
    for translation, reference in zip(said, references, strict=True):
        translation_words, reference_words = _words(translation), _words(reference)
        length, reference_length = (
            length + len(translation_words),
            reference_length + len(reference_words),
        )
        for order in range(WORDS):
            groups, right = (
                _groups(tuple(words), order + 1) for words in (translation_words, reference_words)
            )
            matches[order] += (groups & right).total()
            totals[order] += groups.total()
    if not matches[0]:
        return 0.0
    halved, logs = 1.0, 0.0
    for match, total in zip(matches, totals, strict=True):
        if not total:
            return 0.0
        if not match:
            halved *= 2
        logs += math.log(100 * match / total if match else 100 / (halved * total))
    brevity = min(0.0, 1 - reference_length / length)
    return math.exp(brevity + logs / WORDS)


def chrf(said: Sequence[str], references: Sequence[str]) -> float:
    """Return the chrF of a corpus; ValueError as for `bleu`."""
    _check(said, references)
    sums = [[0, 0, 0] for _ in range(CHARACTERS)]
    for translation, reference in zip(said, references, strict=True):
        written, right_text = ("".join(side.split()) for side in (translation, reference))
        for order, counts in enumerate(sums, start=1):
            groups, right = _groups(written, order), _groups(right_text, order)
            counts[0] += groups.total() if right else 0
            counts[1] += right.total()
            counts[2] += (groups & right).total()
    ratios = [(match / mine, match / theirs) for mine, theirs, match in sums if mine and theirs]
    if not ratios:
        return 0.0
    precision, recall = (sum(column) / len(ratios) for column in zip(*ratios, strict=True))
    if not precision + recall:
        return 0.0
    factor = BETA**2
    return 100 * (1 + factor) * precision * recall / (factor * precision + recall)


def _check(said: Sequence[str], references: Sequence[str]) -> None:
    if not said or len(said) != len(references):
        raise ValueError(f"{len(said)} translations, {len(references)} references")


def _words(text: str) -> list[str]:
    """Cut a text into words as mteval-v13a does."""
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    text = f" {text.rstrip()} "
    for split, apart in _SPLITS:
        text = split.sub(apart, text)
    return text.split()


def _groups(parts: Sequence[str], order: int) -> Counter[Sequence[str]]:
    return Counter(parts[at : at + order] for at in range(len(parts) - order + 1))


@dataclass(frozen=True)
class Group:
    """A group of words, with its counts in the translation and in the reference."""

    words: tuple[str, ...]
    said: int
    wanted: int

    @property
    def matched(self) -> int:
        """Return the matches: no more than the reference has ("clipped")."""
        return min(self.said, self.wanted)


@dataclass(frozen=True)
class Order:
    """All groups of one number of words, and the precision that enters BLEU, from 0 to 1.

    Without a match, the precision is sacrebleu's smoothing: it halves with each order that has no
    match. It is 0 where there is no group at all.
    """

    groups: tuple[Group, ...]
    precision: float

    @property
    def matched(self) -> int:
        """Return the number of groups that match."""
        return sum(group.matched for group in self.groups)

    @property
    def total(self) -> int:
        """Return the number of groups."""
        return sum(group.said for group in self.groups)


@dataclass(frozen=True)
class Worked:
    """The BLEU of one translation in parts: words of both, orders, brevity penalty, 0 to 100."""

    said: tuple[str, ...]
    wanted: tuple[str, ...]
    orders: tuple[Order, ...]
    brevity: float
    bleu: float


def worked(said: str, reference: str) -> Worked:
    """Compute the BLEU of one translation in its parts; ValueError when a side has no words."""
    written_words, reference_words = tuple(_words(said)), tuple(_words(reference))
    if not written_words or not reference_words:
        raise ValueError("a translation and a reference need words")
    orders, halved = [], 1.0
    for order in range(1, WORDS + 1):
        groups, right = _groups(written_words, order), _groups(reference_words, order)
        all_groups = tuple(
            Group(tuple(words), count, right[words]) for words, count in groups.items()
        )
        matched, total = sum(group.matched for group in all_groups), groups.total()
        halved *= 1 if matched or not total else 2
        share = (matched or 1 / halved) / total if total else 0.0
        orders.append(Order(all_groups, share))
    brevity = min(1.0, math.exp(1 - len(reference_words) / len(written_words)))
    precisions = [order.precision for order in orders]
    matches_all = all(precisions) and orders[0].matched
    mean = math.exp(sum(map(math.log, precisions)) / WORDS) if matches_all else 0.0
    return Worked(written_words, reference_words, tuple(orders), brevity, 100 * brevity * mean)
