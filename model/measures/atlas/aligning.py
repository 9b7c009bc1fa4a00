"""The alignment of words of two texts, learned from the texts alone.

IBM's model 1 with a preference for the diagonal (Dyer, Chahuneau and Smith 2013, "A Simple, Fast,
and Effective Reparameterization of IBM Model 2"), in both directions; links found in only one are
dropped. It aligns a few thousand pairs in a second or two, without a compiler.
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
        frozenset((s, t) for t, s in enumerate(there) if s >= 0 and back[s] == t)
        for there, back in zip(forward, backward, strict=True)
    ]


def _numbers(texts: Sequence[Words]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of all words, from 1, text after text, and the texts' lengths."""
    known: dict[str, int] = {}
    flat = [known.setdefault(word.lower(), len(known) + 1) for text in texts for word in text]
    return np.array(flat, np.int64), np.array([len(text) for text in texts], np.int64)


def _best(pairs: Sequence[tuple[Words, Words]], wanted: int) -> list[list[int]]:
    """Return the source word of each target word, -1 for none, of the first `wanted` pairs."""
    (source, lengths), (target, rows) = (
        _numbers([pair[side] for pair in pairs]) for side in (0, 1)
    )
    # One entry for every target word and every source word of its pair, and one for no word: -1.
    of_row = np.repeat(np.arange(len(pairs)), rows)
    wide = lengths[of_row] + 1
    entry_row = np.repeat(np.arange(len(target)), wide)
    first = np.cumsum(wide) - wide
    place = np.arange(len(entry_row)) - first[entry_row] - 1
    pair = of_row[entry_row]
    starts, row_starts = np.cumsum(lengths) - lengths, np.cumsum(rows) - rows
    word = np.where(
        place < 0, 0, source[np.maximum(starts[pair] + place, 0).clip(max=max(len(source) - 1, 0))]
    )
    across = (place + 0.5) / np.maximum(lengths[pair], 1)
    along = (entry_row - row_starts[pair] + 0.5) / rows[pair]
    prior = np.exp(-TENSION * np.abs(across - along)) * (place >= 0)
    sums = np.bincount(entry_row, prior, len(target))[entry_row]
    prior = np.where(place < 0, NULL, (1 - NULL) * prior / np.maximum(sums, 1e-12))
    _codes, code = np.unique(
        word * (int(target.max(initial=0)) + 1) + target[entry_row], return_inverse=True
    )
    share = np.ones(len(_codes))
    found = prior
    for _step in range(STEPS):
        found = prior * share[code]
        found = found / np.maximum(np.bincount(entry_row, found, len(target))[entry_row], 1e-300)
        counts = np.bincount(code, found)
        of_word = np.zeros(len(counts), np.int64)
        of_word[code] = word
        share = counts / np.bincount(of_word, counts)[of_word]
    return _strongest(found, place, first, wide, of_row, wanted)


def _strongest(
    found: NDArray[np.float64],
    place: NDArray[np.int64],
    first: NDArray[np.int64],
    wide: NDArray[np.int64],
    of_row: NDArray[np.int64],
    wanted: int,
) -> list[list[int]]:
    best: list[list[int]] = [[] for _ in range(wanted)]
    for row in range(len(first)):
        if of_row[row] >= wanted:
            break
        some = slice(first[row], first[row] + wide[row])
        best[of_row[row]].append(int(place[some][found[some].argmax()]))
    return best
