"""Words with two meanings, and how alike a word's vectors are in two sentences, layer by layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.words import WORD_START, words_of

Floats = NDArray[np.floating]


def place_of(word: str, tokens: Sequence[str]) -> int:
    """Return where a word stands as one piece; ValueError when it does not."""
    wanted = word.strip().lower()
    for found in words_of(tokens):
        alone = found.last - found.first == _before(tokens[found.first])
        if found.text.lower() == wanted and alone:
            return found.last
    raise ValueError(f"the word {word!r} is no single piece of this sentence")


def _before(token: str) -> int:
    """Return how many pieces of a word are a space and no more: 1 or 0."""
    return int(token == WORD_START)


@dataclass(frozen=True, eq=False)
class Likeness:
    """Cosines at each depth (depth,): of the word's two vectors, and of it and other words."""

    same: Floats
    others: Floats


def likeness(first: Floats, second: Floats, places: tuple[int, int]) -> Likeness:
    """Compare a word's vectors in two streams (depth, n, D) with those of the other tokens."""
    one, other = _units(first), _units(second)
    words = one[:, places[0]], other[:, places[1]]  # depth D
    same = (words[0] * words[1]).sum(axis=-1)
    rest = np.delete(other, places[1], axis=1)  # depth n-1 D
    others = np.einsum("ld,lnd->ln", words[0], rest).mean(axis=1)
    return Likeness(same, others)


def _units(vectors: Floats) -> Floats:
    vectors = vectors.astype(np.float64)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def neighbours(vectors: Floats, units: Floats, count: int, mute: Sequence[int]) -> list[list[int]]:
    """Return the pieces whose embeddings (V, D) are nearest to vectors (depth, D), for each."""
    cosines = _units(vectors) @ units.T  # depth V
    cosines[:, list(mute)] = -np.inf
    return [[int(id_) for id_ in np.argsort(-row, kind="stable")[:count]] for row in cosines]
