"""Weights between words, not pieces, for the lines of a picture."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.words import Word, words_of

Weights = NDArray[np.floating]


def written_words(queries: Sequence[str]) -> list[Word]:
    """Group the pieces that the decoder writes after its begin token into words."""
    return words_of(queries[1:])


def between_words(weights: Weights, written: Sequence[Word], read: Sequence[Word]) -> Weights:
    """Return how much each word (T',) looked at each word (S',), from weights (T, S) of pieces.

    Row t of the weights writes piece t. Weights are added over the pieces of a read word, and
    averaged over the pieces of a written word, so each row still sums to 1.
    """
    summed = [weights[:, word.first : word.last + 1].sum(axis=1) for word in read]
    columns = np.stack(summed, axis=1) if summed else np.zeros((len(weights), 0))
    rows = [columns[word.first : word.last + 1].mean(axis=0) for word in written]
    return np.stack(rows) if rows else np.zeros((0, columns.shape[1]))
