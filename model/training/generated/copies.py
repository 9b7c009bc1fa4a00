"""Rows of letters to copy: the next letter depends only on positions."""

import random

from model.training.data.pairs import Pair

LETTERS = "ABCDEFGIJKLMNOPRSTUVW"
"""Letters that are single pieces in the shipped models; H, Q, X, Y and Z take two pieces."""

SHORTEST, LONGEST = 2, 20
"""The least and the most letters of a row in training."""


def copy_row(letters: int, rng: random.Random) -> Pair:
    """Return a row of `letters` letters, drawn with repetition; it is its own translation."""
    row = " ".join(rng.choices(LETTERS, k=letters))
    return Pair(row, row)


def copy_pairs(count: int, seed: int) -> list[Pair]:
    """Return `count` rows, with equally many of each trained length."""
    rng = random.Random(seed)
    return [copy_row(rng.randint(SHORTEST, LONGEST), rng) for _ in range(count)]
