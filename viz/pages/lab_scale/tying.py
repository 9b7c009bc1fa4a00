"""One matrix for queries and keys: the choice of it, and its effect on scores and weights."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.sharing import TieQueries
from model.recording.recording import Recording
from model.sites.sites import Head, Stack, attention_site
from viz.figures.weights import on_itself
from viz.link import edits

Tied = Literal["apart", "qk", "qkv"]


def tied(interventions: Iterable[Intervention], stack: Stack) -> Tied:
    """Return which matrices of a stack are tied; if two interventions differ, the larger tie."""
    ties = edits.of_kind(interventions, TieQueries, stack=stack)
    return ("qkv" if any(tie.values for tie in ties) else "qk") if ties else "apart"


@dataclass(frozen=True)
class Looks:
    """Measures of a stack's self-attention, over all heads and queries.

    `unlike` is the mean difference between a score and the score in the other direction, divided by
    the mean size of a score. `own` is the mean weight of a piece on itself, `mostly_own` the share
    of queries that have their largest weight on themselves.
    """

    unlike: float
    own: float
    mostly_own: float


def looks(recording: Recording, stack: Stack) -> Looks:
    """Measure the self-attention of a stack in a recording."""
    scores = all_scores(recording, stack).astype(np.float64)  # L H n n
    weights = recording.attention(stack)  # L H n n
    most = weights.argmax(axis=-1) == np.arange(weights.shape[-1])  # L H n
    apart = float(_unlike(scores).mean() / np.abs(scores).mean())
    return Looks(apart, on_itself(weights), float(most.mean()))


def most_unlike(recording: Recording, stack: Stack) -> Head:
    """Return the head of a stack whose scores differ most between both directions."""
    scores = all_scores(recording, stack)
    apart = _unlike(scores).mean(axis=(-1, -2)) / np.abs(scores).mean(axis=(-1, -2))  # L H
    layer, head = np.unravel_index(int(apart.argmax()), apart.shape)
    return Head(stack, int(layer), int(head))


def _unlike(scores: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.abs(scores - scores.swapaxes(-1, -2))


def all_scores(recording: Recording, stack: Stack) -> NDArray[np.float32]:
    """Return the scores of all heads of a stack, before the mask, (L, H, n, n)."""
    layers = range(recording.config.layers(stack))
    return np.stack([recording.part(stack, layer, "scores") for layer in layers])


def largest_error(recording: Recording, stack: Stack) -> float:
    """Recompute a stack's scores as q qᵀ / √d_k; return the largest difference to a recording."""
    errors: list[float] = []
    for layer in range(recording.config.layers(stack)):
        q = recording[attention_site(stack, layer, "q")].astype(np.float64)  # H n Dk
        mine = q @ q.swapaxes(-1, -2) / recording.config.d_k**0.5
        errors.append(float(np.abs(mine - recording.part(stack, layer, "scores")).max()))
    return max(errors)
