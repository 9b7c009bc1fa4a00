"""A window mask: its sizes, the pairs scored inside, and the attention that it cuts off."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.masks import Window
from model.recording.recording import Recording
from model.sites.sites import Stack, attention_site, mask_site
from viz.figures.weights import softmax
from viz.link import edits

SIZES = (1, 3, 5, 7, 9, 13, 17, 25, 33, 65, 129)
"""The sizes on offer, in pieces, if they hide anything of a sentence."""


def sizes(pieces: int) -> list[int]:
    """Return the sizes on offer for a number of pieces; the last size just hides nothing."""
    whole = 2 * pieces - 1
    return [*(size for size in SIZES if size < whole), whole]


def size_of(interventions: Iterable[Intervention], stack: Stack, pieces: int) -> int:
    """Return the size of a stack's window: the smallest of several, or one that hides nothing."""
    windows = edits.of_kind(interventions, Window, stack=stack)
    return min((window.size for window in windows), default=2 * pieces - 1)


def inside(pieces: int, size: int) -> NDArray[np.bool_]:
    """Mark the links inside a window (n, n), for n pieces."""
    places = np.arange(pieces)
    return np.abs(places[:, None] - places) <= size // 2


def pairs(allowed: NDArray[np.bool_], size: int) -> int:
    """Count the pairs of query and key in a window, of those `allowed` (n, n)."""
    return int((allowed & inside(len(allowed), size)).sum())


def cut_off(weights: NDArray[np.floating], size: int) -> float:
    """Return the share of all attention (..., n, n) that goes beyond a window."""
    return float(weights[..., ~inside(weights.shape[-1], size)].sum() / weights.sum())


def largest_error(before: Recording, recording: Recording, stack: Stack, size: int) -> float:
    """Recompute the first layer's weights, using only the scores of the pairs in a window.

    Returns the largest difference to a `recording` with this window; `before` has no window.
    """
    scores = before[attention_site(stack, 0, "scores")].astype(np.float64)  # H n n
    allowed = before[mask_site(stack)] & inside(scores.shape[-1], size)
    mine = softmax(np.where(allowed, scores, -np.inf))  # H n n
    return float(np.abs(mine - recording[attention_site(stack, 0, "weights")]).max())
