"""Numbers about a word with two meanings: how alike its vectors are in two sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.words import WORD_START, words_of

Floats = NDArray[np.floating]


def place_of(word: str, tokens: Sequence[str]) -> int:
    """Return the place of a word that is one piece, from 0; ValueError when there is none."""
    wanted = word.strip().lower()
    for word_there in words_of(tokens):
        alone = word_there.last - word_there.first == _before(tokens[word_there.first])
        if word_there.text.lower() == wanted and alone:
            return word_there.last
    raise ValueError(f"the word {word!r} is no single piece of this sentence")


def _before(token: str) -> int:
    """Return 1 if the first piece of a word is only a space, else 0."""
    return int(token == WORD_START)


@dataclass(frozen=True, eq=False)
class Likeness:
    """Cosines at each depth, (depth,): of the word's two vectors, and of the first with `others`.

    `others` is the mean over the other tokens of the second sentence.
    """

    same: Floats
    others: Floats


def likeness(first: Floats, second: Floats, positions: tuple[int, int]) -> Likeness:
    """Compare a word's vectors in two streams (depth, n, D), with each other and with others."""
    here, there = _units(first), _units(second)
    words = here[:, positions[0]], there[:, positions[1]]  # depth D
    same = (words[0] * words[1]).sum(axis=-1)
    rest = np.delete(there, positions[1], axis=1)  # depth n-1 D
    others = np.einsum("ld,lnd->ln", words[0], rest).mean(axis=1)
    return Likeness(same, others)


def _units(vectors: Floats) -> Floats:
    vectors = vectors.astype(np.float64)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def neighbours(vectors: Floats, units: Floats, count: int, mute: Sequence[int]) -> list[list[int]]:
    """Return, for each of `vectors` (depth, D), the pieces with the nearest embeddings (V, D).

    `units` are the embeddings, of length 1; pieces in `mute` are left out.
    """
    cosines = _units(vectors) @ units.T  # depth V
    cosines[:, list(mute)] = -np.inf
    return [[int(id_) for id_ in np.argsort(-row, kind="stable")[:count]] for row in cosines]
