"""The effect of cutting a link of the story, in a word."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Effect = Literal["toss-up", "partly", "nothing"]

CHANCE = 0.65
"""A choice is a toss-up if the right one of the two pieces has at most this share of both."""

NOTICED = 0.05
"""The smallest change of a probability that counts."""


def effect(likely: NDArray[np.float64], combination: int) -> Effect:
    """Tell what a combination of changes does to the choice, over both sentences together.

    `likely` (sentence, combination, piece) has the probabilities of the two pieces; the first one
    is right in the first sentence, the second in the second.
    """
    before, after = (_right(likely, at) for at in (0, combination))
    if np.abs(after - before).max() < NOTICED:
        return "nothing"
    chosen = after / likely[:, combination].sum(axis=-1)
    return "toss-up" if chosen.mean() <= CHANCE else "partly"


def _right(likely: NDArray[np.float64], combination: int) -> NDArray[np.float64]:
    """Return the probability of the right piece in each sentence (2,)."""
    return np.diagonal(likely[:, combination])
