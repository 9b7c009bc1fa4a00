"""Weights between words, not pieces, for the lines of a picture."""

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from model.words import Word, is_punctuation, words_of

Weights = NDArray[np.floating]

_MOST = 3
"""The most words in a row that are quoted as a difference."""


def written_words(queries: Sequence[str]) -> list[Word]:
    """Group the pieces that the decoder writes after its begin token, up to the last it reads."""
    return words_of(queries[1:])


def between_words(weights: Weights, written: Sequence[Word], read: Sequence[Word]) -> Weights:
    """Return how much each word (T',) looked at each word (S',), from weights (T, S) of pieces.

    Row t of the weights writes piece t. The weights of a looked-at word's pieces are added; over
    the pieces of a written word the mean is taken, so a row has the sum of its pieces' rows: 1.
    """
    summed = [weights[:, word.first : word.last + 1].sum(axis=1) for word in read]
    columns = np.stack(summed, axis=1) if summed else np.zeros((len(weights), 0))
    rows = [columns[word.first : word.last + 1].mean(axis=0) for word in written]
    return np.stack(rows) if rows else np.zeros((0, columns.shape[1]))


def instead(one: Sequence[Word], other: Sequence[Word]) -> tuple[str, str] | None:
    """Return the first few words that stand in `one` alone, and those of `other` in their place.

    None of the first is anywhere in the other text, and the other way round; capitals and marks do
    not count. None if there are no such words, or too many in a row to be quoted.
    """
    texts = [[word.text.casefold() for word in words] for words in (one, other)]
    for tag, i, j, k, m in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        first, second = one[i:j], other[k:m]
        apart = not set(texts[0][i:j]) & set(texts[1]) and not set(texts[1][k:m]) & set(texts[0])
        few = max(len(first), len(second)) <= _MOST
        marks = any(is_punctuation(word.text) for word in (*first, *second))
        if tag == "replace" and apart and few and not marks:
            return _joined(first), _joined(second)
    return None


def _joined(words: Sequence[Word]) -> str:
    """Write words as in a sentence, without the space before the first."""
    return "".join(f" {word.text}" if word.spaced else word.text for word in words).strip()
