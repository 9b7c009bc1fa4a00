"""One step of a recurrent decoder, recomputed from its weights in numpy."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.recording.recording import Recording
from model.recurrent.config import FIXED, GRU_GATES, LONG, LOOK_FIRST, LSTM_GATES
from viz.figures.weights import softmax

Array = NDArray[np.floating]
ATTENTION = "decoder.0.cross_attn"
ADDITIVE = ("additive", "bahdanau", "lstm")
"""The kinds that score as Bahdanau et al. (2015) do."""


@dataclass(frozen=True, eq=False)
class RecurrentStep:
    """The vectors (R,) of one decoder step; `before` is s_{t-1} and `state` is s_t.

    `gates` (R,) are named by their sites, and include the cell of an LSTM. `scores` and `weights`
    (S,) are empty without attention.
    """

    before: Array
    gates: dict[str, Array]
    state: Array
    scores: Array
    weights: Array
    context: Array
    attended: Array


def recorded_step(recording: Recording, t: int) -> RecurrentStep:
    """Return step t, from 0, of a recording."""
    arrays, empty = recording.arrays, np.zeros(0, np.float32)

    def row(name: str) -> Array:
        values = arrays.get(f"{ATTENTION}.{name}")
        return empty if values is None else values[0, t]

    return RecurrentStep(
        arrays["decoder.states"][t - 1] if t else arrays["decoder.start"],
        {name: arrays[f"decoder.{name}"][t] for name in gates_of(recording)},
        arrays["decoder.states"][t],
        row("scores"),
        row("weights"),
        arrays[f"{ATTENTION}.context"][t],
        arrays["decoder.attended"][t],
    )


def recomputed_step(recording: Recording, t: int, weight: Callable[[str], Array]) -> RecurrentStep:
    """Compute step t (from 0) with s_{t-1}, the piece that is read, all h_j and the weights.

    `weight` returns a weight by its name in the model. A fixed vector is taken from the recording.
    """
    recorded = recorded_step(recording, t)
    x, before = recording["decoder.embedding"][t], recorded.before
    if recording.made_by.kind in LOOK_FIRST:
        x = np.concatenate([x, _look(recording, t, before, weight)[2]])
    if recording.made_by.kind in LONG:
        cells = recording["decoder.cell"]
        gates = lstm_gates(x, before, cells[t - 1] if t else before, weight)
        state = gates["output_gate"] * np.tanh(gates["cell"])
    else:
        gates = gru_gates(x, before, weight)
        state = gates["update"] * before + (1 - gates["update"]) * gates["candidate"]
    asks = before if recording.made_by.kind in LOOK_FIRST else state
    scores, weights, context = _look(recording, t, asks, weight)
    join = weight("decoder.join.weight") @ np.concatenate([context, state])
    attended = np.tanh(join + weight("decoder.join.bias"))
    return RecurrentStep(before, gates, state, scores, weights, context, attended)


def gates_of(recording: Recording) -> tuple[str, ...]:
    """Return the sites of the recorded model's gates, including the cell of an LSTM."""
    return LSTM_GATES if recording.made_by.kind in LONG else GRU_GATES


def asking(recording: Recording) -> Array:
    """Return the states that look at the source, (T, R): after each step, or before it."""
    states = recording["decoder.states"]
    if recording.made_by.kind not in LOOK_FIRST:
        return states
    return np.concatenate([recording["decoder.start"][None], states[:-1]])


def _look(
    recording: Recording, t: int, state: Array, weight: Callable[[str], Array]
) -> tuple[Array, Array, Array]:
    """Return the scores (S,), weights (S,) and context (R,) of a state (R,) at step t."""
    h = recording["encoder.memory"]
    scores = score_row(recording.made_by.kind, state, h, weight)
    if not scores.size:
        return scores, scores, recorded_step(recording, t).context
    bell = recording.arrays.get(f"{ATTENTION}.gaussian")
    near = np.ones(len(h), bool) if bell is None else bell[0, t] > 0
    weights = softmax(np.where(near, scores, -np.inf))
    weights = weights if bell is None else weights * bell[0, t]
    return scores, weights, weights @ h


def gru_gates(x: Array, before: Array, weight: Callable[[str], Array]) -> dict[str, Array]:
    """Compute the reset and update gates and the candidate (R,) of the decoder's GRU."""
    read = weight("decoder.gru.weight_ih_l0") @ x + weight("decoder.gru.bias_ih_l0")
    kept = weight("decoder.gru.weight_hh_l0") @ before + weight("decoder.gru.bias_hh_l0")
    (read_r, read_z, read_n), (kept_r, kept_z, kept_n) = np.split(read, 3), np.split(kept, 3)
    reset, update = _sigmoid(read_r + kept_r), _sigmoid(read_z + kept_z)
    return {"reset": reset, "update": update, "candidate": np.tanh(read_n + reset * kept_n)}


def lstm_gates(
    x: Array, before: Array, cell: Array, weight: Callable[[str], Array]
) -> dict[str, Array]:
    """Compute the gates, the candidate and the new cell (R,) of the decoder's LSTM."""
    read = weight("decoder.lstm.weight_ih_l0") @ x + weight("decoder.lstm.bias_ih_l0")
    kept = weight("decoder.lstm.weight_hh_l0") @ before + weight("decoder.lstm.bias_hh_l0")
    written, forgotten, candidate, shown = np.split(read + kept, 4)
    written, forgotten, candidate = _sigmoid(written), _sigmoid(forgotten), np.tanh(candidate)
    return {
        "input_gate": written,
        "forget_gate": forgotten,
        "output_gate": _sigmoid(shown),
        "candidate": candidate,
        "cell": forgotten * cell + written * candidate,
    }


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def score_row(kind: str, state: Array, h: Array, weight: Callable[[str], Array]) -> Array:
    """Return the scores (S,) of a state (R,) with all h_j (S, R); empty for a fixed vector."""
    if kind in FIXED:
        return np.zeros(0, np.float32)
    if kind == "dot":
        return h @ state / np.sqrt(len(state))
    key = weight("decoder.attention.key.weight")
    if kind in ADDITIVE:
        query = weight("decoder.attention.query.weight") @ state
        return np.tanh(query + h @ key.T) @ weight("decoder.attention.v")
    return (h @ key.T) @ state / np.sqrt(len(state))


def largest_difference(first: RecurrentStep, second: RecurrentStep) -> float:
    """Return the largest difference between any numbers of two steps."""
    ours, theirs = ({**vars(step), **step.gates} for step in (first, second))
    names = ours.keys() - {"gates"}
    return max(float(np.abs(ours[name] - theirs[name]).max(initial=0)) for name in names)
