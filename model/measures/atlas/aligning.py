"""The alignment of words of two texts, learned from the texts alone.

IBM's model 1 with a preference for the diagonal (Dyer, Chahuneau and Smith 2013, "A Simple, Fast,
and Effective Reparameterization of IBM Model 2"), in both directions; links found in only one
direction are dropped. It aligns a few thousand pairs in a second or two, without a compiler.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.measures.head_roles import Links

Words = Sequence[str]
STEPS, TENSION, NULL = 6, 4.0, 0.08
"""Rounds of learning, sharpness of the diagonal, and prior of a word without a partner."""


def align(
    pairs: Sequence[tuple[Words, Words]], more: Sequence[tuple[Words, Words]] = ()
) -> list[Links]:
    """Align the words of `pairs`, (source, target) each, learning from `more` pairs as well.

    Case is ignored. The returned words are counted from 0.
    """
    every = [*pairs, *more]
    if not pairs:
        return []
    forward = _best(every, len(pairs))
    backward = _best([(target, source) for source, target in every], len(pairs))
    return [
        frozenset((s, t) for t, s in enumerate(links) if s >= 0 and reverse[s] == t)
        for links, reverse in zip(forward, backward, strict=True)
    ]


def _numbers(texts: Sequence[Words]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of all words, from 1, text after text, and the texts' lengths."""
    number_of: dict[str, int] = {}
    flat = [
        number_of.setdefault(word.lower(), len(number_of) + 1) for words in texts for word in words
    ]
    return np.array(flat, np.int64), np.array([len(words) for words in texts], np.int64)


def _best(pairs: Sequence[tuple[Words, Words]], count: int) -> list[list[int]]:
    """Return the source word of each target word in the first `wanted` pairs; -1 for no word."""
    (source, lengths), (target, rows) = (
        _numbers([pair[side] for pair in pairs]) for side in (0, 1)
    )
    # Each target word has an entry with each source word of its pair, and one with no word, -1.
    of_row = np.repeat(np.arange(len(pairs)), rows)
    wide = lengths[of_row] + 1
    entry_row = np.repeat(np.arange(len(target)), wide)
    entry_starts = np.cumsum(wide) - wide
    source_place = np.arange(len(entry_row)) - entry_starts[entry_row] - 1
    pair = of_row[entry_row]
    starts, row_starts = np.cumsum(lengths) - lengths, np.cumsum(rows) - rows
    word = np.where(
        source_place < 0,
        0,
        source[np.maximum(starts[pair] + source_place, 0).clip(max=max(len(source) - 1, 0))],
    )
    across = (source_place + 0.5) / np.maximum(lengths[pair], 1)
    along = (entry_row - row_starts[pair] + 0.5) / rows[pair]
    prior = np.exp(-TENSION * np.abs(across - along)) * (source_place >= 0)
    sums = np.bincount(entry_row, prior, len(target))[entry_row]
    prior = np.where(source_place < 0, NULL, (1 - NULL) * prior / np.maximum(sums, 1e-12))
    _codes, code = np.unique(
        word * (int(target.max(initial=0)) + 1) + target[entry_row], return_inverse=True
    )
    share = np.ones(len(_codes))
    likely = prior
    for _step in range(STEPS):
        likely = prior * share[code]
        likely = likely / np.maximum(np.bincount(entry_row, likely, len(target))[entry_row], 1e-300)
        counts = np.bincount(code, likely)
        of_word = np.zeros(len(counts), np.int64)
        of_word[code] = word
        share = counts / np.bincount(of_word, counts)[of_word]
    return _strongest(likely, source_place, entry_starts, wide, of_row, count)


def _strongest(
    likely: NDArray[np.float64],
    source_place: NDArray[np.int64],
    entry_starts: NDArray[np.int64],
    wide: NDArray[np.int64],
    of_row: NDArray[np.int64],
    count: int,
) -> list[list[int]]:
    best: list[list[int]] = [[] for _ in range(count)]
    for row in range(len(entry_starts)):
        if of_row[row] >= count:
            break
        some = slice(entry_starts[row], entry_starts[row] + wide[row])
        best[of_row[row]].append(int(source_place[some][likely[some].argmax()]))
    return best
