"""One step of a recurrent decoder recomputed from its weights: numpy in, numbers out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.recording.recording import Recording
from viz.figures.weights import softmax

Array = NDArray[np.floating]
ATTENTION = "decoder.0.cross_attn"


@dataclass(frozen=True, eq=False)
class RecurrentStep:
    """One decoder step: all vectors on its way; `before` is s_{t-1}, `state` is s_t (R,).

    `scores` and `weights` (S,) are empty without attention.
    """

    before: Array
    reset: Array
    update: Array
    candidate: Array
    state: Array
    scores: Array
    weights: Array
    context: Array
    attended: Array


def recorded_step(recording: Recording, t: int) -> RecurrentStep:
    """Read a step off a recording."""
    arrays, empty = recording.arrays, np.zeros(0, np.float32)

    def row(name: str) -> Array:
        found = arrays.get(f"{ATTENTION}.{name}")
        return empty if found is None else found[0, t]

    return RecurrentStep(
        arrays["decoder.states"][t - 1] if t else arrays["decoder.start"],
        arrays["decoder.reset"][t],
        arrays["decoder.update"][t],
        arrays["decoder.candidate"][t],
        arrays["decoder.states"][t],
        row("scores"),
        row("weights"),
        arrays[f"{ATTENTION}.context"][t],
        arrays["decoder.attended"][t],
    )


def recomputed_step(recording: Recording, t: int, weight: Callable[[str], Array]) -> RecurrentStep:
    """Compute a step anew from s_{t-1}, the piece that is read, every h_j and the weights.

    `weight` returns a weight by its name in the model. Scores come in by `score_row`.
    """
    found, kind = recorded_step(recording, t), recording.made_by.kind
    x, before = recording["decoder.embedding"][t], found.before
    if looks_first(kind):
        x = np.concatenate([x, _look(recording, t, before, weight)[2]])
    reset, update, candidate = gru_gates(x, before, weight)
    state = update * before + (1 - update) * candidate
    asks = before if looks_first(kind) else state
    scores, weights, context = _look(recording, t, asks, weight)
    join = weight("decoder.join.weight") @ np.concatenate([context, state])
    attended = np.tanh(join + weight("decoder.join.bias"))
    return RecurrentStep(
        before, reset, update, candidate, state, scores, weights, context, attended
    )


def looks_first(kind: str) -> bool:
    """Tell whether the state before a step is the one that looks."""
    return kind == "bahdanau"


def asking(recording: Recording) -> Array:
    """Return the state that looks at each step, (T, R): the one after it, or the one before."""
    states = recording["decoder.states"]
    if not looks_first(recording.made_by.kind):
        return states
    return np.concatenate([recording["decoder.start"][None], states[:-1]])


def _look(
    recording: Recording, t: int, state: Array, weight: Callable[[str], Array]
) -> tuple[Array, Array, Array]:
    """Return the scores (S,), weights (S,) and context (R,) of a state that looks at step t."""
    h = recording["encoder.memory"]
    scores = score_row(recording.made_by.kind, state, h, weight)
    if not scores.size:
        return scores, scores, recorded_step(recording, t).context
    bell = recording.arrays.get(f"{ATTENTION}.gaussian")
    near = np.ones(len(h), bool) if bell is None else bell[0, t] > 0
    weights = softmax(np.where(near, scores, -np.inf))
    weights = weights if bell is None else weights * bell[0, t]
    return scores, weights, weights @ h


def gru_gates(x: Array, before: Array, weight: Callable[[str], Array]) -> tuple[Array, ...]:
    """Compute reset, update and candidate (R,) of the decoder's GRU."""
    read = weight("decoder.gru.weight_ih_l0") @ x + weight("decoder.gru.bias_ih_l0")
    kept = weight("decoder.gru.weight_hh_l0") @ before + weight("decoder.gru.bias_hh_l0")
    (read_r, read_z, read_n), (kept_r, kept_z, kept_n) = np.split(read, 3), np.split(kept, 3)
    reset = 1 / (1 + np.exp(-(read_r + kept_r)))
    return reset, 1 / (1 + np.exp(-(read_z + kept_z))), np.tanh(read_n + reset * kept_n)


def score_row(kind: str, state: Array, h: Array, weight: Callable[[str], Array]) -> Array:
    """Score one state (R,) against every h_j (S, R): (S,), empty for the fixed vector."""
    if kind == "none":
        return np.zeros(0, np.float32)
    if kind == "dot":
        return h @ state / np.sqrt(len(state))
    key = weight("decoder.attention.key.weight")
    if kind in ("additive", "bahdanau"):
        query = weight("decoder.attention.query.weight") @ state
        return np.tanh(query + h @ key.T) @ weight("decoder.attention.v")
    return (h @ key.T) @ state / np.sqrt(len(state))


def largest_difference(one: RecurrentStep, other: RecurrentStep) -> float:
    """Return the largest difference between any numbers of two steps."""
    pairs: Mapping[str, Any] = vars(one)
    return max(float(np.abs(pairs[name] - getattr(other, name)).max(initial=0)) for name in pairs)
