"""One matrix for queries and keys: how it is chosen, and what it does to the scores."""

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

Tied = Literal["apart", "qk", "qkv"]


def tied(interventions: Iterable[Intervention], stack: Stack) -> Tied:
    """Return which matrices of a stack are one: of two choices, the one that ties more."""
    found = [one for one in interventions if isinstance(one, TieQueries) and one.stack == stack]
    return ("qkv" if any(one.values for one in found) else "qk") if found else "apart"


def set_tied(
    interventions: Iterable[Intervention], stack: Stack, chosen: Tied
) -> tuple[Intervention, ...]:
    """Tie these matrices of a stack and no others."""
    others = tuple(
        one for one in interventions if not (isinstance(one, TieQueries) and one.stack == stack)
    )
    return others if chosen == "apart" else (*others, TieQueries(stack, chosen == "qkv"))


@dataclass(frozen=True)
class Looks:
    """How a stack's self-attention looks, over all heads and queries.

    `unlike`: the mean difference of a score and the one the other way, over the mean size of a
    score. `own`: the mean weight of a piece on itself; `mostly_own`: the share of queries whose
    largest weight that is.
    """

    unlike: float
    own: float
    mostly_own: float


def looks(recording: Recording, stack: Stack) -> Looks:
    """Measure how a stack looks."""
    scores = all_scores(recording, stack).astype(np.float64)  # L H n n
    weights = recording.attention(stack)  # L H n n
    most = weights.argmax(axis=-1) == np.arange(weights.shape[-1])  # L H n
    apart = float(_unlike(scores).mean() / np.abs(scores).mean())
    return Looks(apart, on_itself(weights), float(most.mean()))


def most_unlike(recording: Recording, stack: Stack) -> Head:
    """Return the head whose scores differ most from those the other way."""
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
    """Recompute the scores as q qᵀ / sqrt(d_k); return the largest difference to a recording."""
    errors: list[float] = []
    for layer in range(recording.config.layers(stack)):
        q = recording[attention_site(stack, layer, "q")].astype(np.float64)  # H n Dk
        mine = q @ q.swapaxes(-1, -2) / recording.config.d_k**0.5
        errors.append(float(np.abs(mine - recording.part(stack, layer, "scores")).max()))
    return max(errors)
