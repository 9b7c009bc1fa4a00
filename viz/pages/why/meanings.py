"""Words with two meanings, and how alike a word's vectors are in two sentences, layer by layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Meanings:
    """A word, a sentence for each of two meanings, and the French that tells them apart."""

    word: str
    sentences: tuple[str, str]
    french: tuple[str, str]


EXAMPLES = tuple(
    Meanings(word, (one, other), (french, otherwise))
    for word, one, french, other, otherwise in (
        ("light", "She turned on the light.", "lumière", "This bag is very light.", "léger"),
        ("kind", "He is a very kind man.", "gentil", "What kind of music do you like?", "sorte"),
        ("like", "I like apples.", "aime", "He looks like his father.", "ressemble"),
        ("right", "You are right.", "raison", "Turn right at the corner.", "droite"),
        ("watch", "I watch television.", "regarde", "My watch is broken.", "montre"),
        ("well", "He sings well.", "bien", "The well is dry.", "puits"),
        ("fly", "Birds fly.", "vole", "There is a fly in my soup.", "mouche"),
        ("room", "My room is small.", "chambre", "There is no room for him.", "place"),
        ("bank", "My sister works at the bank.", "banque", "He sat on the river bank.", "rive"),
        ("saw", "I saw him yesterday.", "vu", "He cut the wood with a saw.", "scie"),
    )
)
"""Pairs that everybody would try; whether the model tells one apart is looked up when shown."""


def told_apart(meanings: Meanings, translations: Sequence[str]) -> tuple[bool, bool]:
    """Tell for each sentence whether its translation has the French of its meaning."""
    one, other = (
        french in translation.lower()
        for french, translation in zip(meanings.french, translations, strict=True)
    )
    return one, other


def place_of(word: str, tokens: Sequence[str]) -> int:
    """Return where a word stands as one piece; ValueError when it does not."""
    wanted = word.strip().lower()
    for place, token in enumerate(tokens):
        if token.startswith("▁") and token[1:].lower() == wanted:
            return place
    raise ValueError(f"the word {word!r} is no single piece of this sentence")


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
