"""Training on one sentence, for the page about learning; cached.

Steps of descent take some 350 MB and up to 4 seconds of a core, so visitors take turns. Dropout
draws from torch's only random state, so it waits in the same queue.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.learning import beginning, dropout, forcing
from model.learning import descent as learning
from model.learning.beginning import FirstGradients, Rule, Sizes
from model.learning.descent import Descent
from model.learning.dropout import AttentionDraws, Draws
from model.learning.equal_heads import Heads, train_heads
from model.learning.example import OneByOne, TrainingExample, frozen, training_example
from model.learning.example import one_by_one as both_ways
from model.learning.example import smoothing as smoothed
from model.learning.forcing import Fed
from model.learning.optimizers import MatrixSteps
from model.learning.optimizers import matrix_steps as steps_of_matrix
from model.learning.recipe import Recipe
from model.learning.schedule import paper_learning_rate
from model.recording.history import HISTORY, History, load_history
from model.transformer.config import PAPER, ModelConfig
from model.transformer.transformer import first_gain
from viz.compute import runs
from viz.compute.models import kept
from viz.sharing.progress import report
from viz.sharing.queue import HEAVY


@kept
def example(
    sentence: str, target: str | None, smoothing: float, own_position: bool
) -> TrainingExample:
    """Measure a pair as the trainer does; target None means the model's own translation.

    Raises ValueError when the sentence is empty.
    """
    loaded = runs.translator()
    ids = _ids(sentence, target)
    return training_example(loaded, ids, smoothing, own_position)


@kept
def one_by_one(sentence: str, target: str | None) -> OneByOne:
    """Compute all rows of a pair at once, and row after row."""
    return both_ways(runs.translator().model, *_ids(sentence, target))


@kept
def fed(sentence: str, target: str | None, ratio: float, seed: int) -> Fed:
    """Feed the decoder the reference in a share of the rows, and its own words in the rest."""
    loaded = runs.translator()
    return forcing.feed(loaded.model, loaded.target_tokenizer, *_ids(sentence, target), ratio, seed)


@kept
def draws(
    sentence: str, target: str | None, row: int, rate: float, seeds: tuple[int, ...]
) -> Draws:
    """Draw dropout anew for each seed, at one row of the decoder."""
    with HEAVY.turn(lambda _before: None):
        return dropout.draws(runs.translator().model, *_ids(sentence, target), row, rate, seeds)


@kept
def attention_draws(
    sentence: str, place: tuple[int, int, int], rate: float, seeds: tuple[int, ...]
) -> AttentionDraws:
    """Draw the dropout of one row of weights anew for each seed; `place` is layer, head, row."""
    ids = runs.source(sentence).ids
    with HEAVY.turn(lambda _before: None):
        return dropout.attention_draws(runs.translator().model, ids, place, rate, seeds)


@kept
def matrix_steps(sentence: str, target: str | None, name: str) -> MatrixSteps:
    """Take the gradient of one matrix on a pair, and the first steps made from it."""
    return steps_of_matrix(runs.translator().model, *_ids(sentence, target), name)


@kept
def first_steps(sentence: str, rate: float) -> Descent:
    """Take two steps of the run's optimizers at full rate from random weights, on one pair."""
    with HEAVY.turn(lambda _before: None):
        return descent(sentence, None, Recipe(2, rate, "run", "fresh"))


SMALL, DRAWS = ModelConfig(d_model=64, heads=4, d_ff=256), 3
"""The model for the first gradients, and the number of draws of its weights."""


@kept
def first_gradients(sentence: str, target: str, layers: int, rule: Rule) -> FirstGradients:
    """Take the gradients of random weights on a pair, with norms after and before sublayers.

    Raises ValueError when the sentence is empty.
    """
    loaded, ids = runs.translator(), _ids(sentence, target)
    config = replace(
        SMALL,
        vocab_size=max(loaded.config.vocab_size, loaded.config.target_vocab_size),
        encoder_layers=layers,
        decoder_layers=layers,
        max_length=loaded.config.max_length,
        **{name: getattr(loaded.config, name) for name in ("pad_id", "begin_id", "end_id")},
    )
    with HEAVY.turn(lambda _before: None):
        return beginning.first_gradients(config, *ids, rule, range(DRAWS))


EQUAL = ModelConfig(d_model=32, heads=4, d_ff=128, encoder_layers=1, decoder_layers=1)
"""The sizes of the model whose heads begin alike; it knows the pieces of one pair only."""

EQUAL_STEPS = 60

ALIKE, NEARLY, DRAWN = 0.0, 0.1, None
"""How far apart the heads of an attention begin; None: each as it was drawn."""

STARTS = (ALIKE, NEARLY, DRAWN)


@kept
def equal_heads(sentence: str, starts: tuple[float | None, ...]) -> dict[float | None, Heads]:
    """Train a small model on a pair from several starts (see `train_heads`), by these starts.

    Raises ValueError when the sentence is empty.
    """
    config, ids = runs.translator().config, _ids(sentence, None)
    begin, end = config.begin_id, config.end_id
    others = dict.fromkeys(id_ for side in ids for id_ in side if id_ not in (begin, end))
    rows = {begin: 1, end: 2} | {id_: 3 + row for row, id_ in enumerate(others)}
    source, target = ([rows[id_] for id_ in side] for side in ids)
    small = replace(EQUAL, vocab_size=3 + len(others), max_length=max(len(source), len(target)))
    with HEAVY.turn(lambda _before: None):
        return {start: train_heads(small, source, target, EQUAL_STEPS, start) for start in starts}


@dataclass(frozen=True, eq=False)
class FirstWeights:
    """Numbers of a fresh matrix (out, in), the gain of its bound, and sizes by factor."""

    matrix: NDArray[np.float32]
    gain: float
    sizes: dict[float, Sizes]


@kept
def first_weights(sentence: str, rule: Rule, name: str, factors: tuple[float, ...]) -> FirstWeights:
    """Draw weights for a model of this size, and pass a sentence through its encoder.

    The embedding has rows only for the pieces of this sentence. Raises ValueError when the sentence
    is empty.
    """
    ids = runs.source(sentence).ids
    rows = {id_: 3 + row for row, id_ in enumerate(dict.fromkeys(ids))}
    config = replace(
        runs.translator().config,
        **{"pad_id": 0, "begin_id": 1, "end_id": 2, "vocab_size": 3 + len(rows)},
        variant=PAPER,
        positions="sinusoid",
        scores="dot",
    )
    with HEAVY.turn(lambda _before: None):
        model = beginning.fresh(config, rule, 0)
    sizes = {
        factor: beginning.sizes(model, [rows[id_] for id_ in ids], factor) for factor in factors
    }
    gain = first_gain(config, name) if rule == "this project's" else 1.0
    return FirstWeights(frozen(model.get_parameter(name).detach()), gain, sizes)


@kept
def descent(sentence: str, target: str | None, recipe: Recipe) -> Descent:
    """Take steps on a copy of the model, and report each; ValueError when a side is too long.

    Only one caller may take steps at a time.
    """
    loaded = runs.translator()
    limits = loaded.limits(runs.source(sentence))
    ids = _ids(sentence, target)
    return learning.descend(loaded.model, loaded.tokenizers, *ids, limits, recipe, progress=report)


def floors(epsilons: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lowest loss possible under each label smoothing (n,), in nats (n,)."""
    pieces = runs.translator().config.target_vocab_size
    return np.array([smoothed(float(epsilon), pieces).floor for epsilon in epsilons])


@kept
def schedule(steps: int, d_model: int, warmup: int) -> NDArray[np.float64]:
    """Return the paper's learning rate at steps 1 to `steps` (steps,)."""
    rates = [paper_learning_rate(step, d_model, warmup) for step in range(1, steps + 1)]
    return np.array(rates)


def history() -> History | None:
    """Read the history of the model's training; None if it has none.

    Raises ValueError when the file is damaged.
    """
    return _history(str(runs.translator().folder))


def is_recorded() -> bool:
    """Return True if the checkpoint has a file with the history of its training."""
    return (runs.translator().folder / HISTORY).exists()


@st.cache_resource(show_spinner=False, max_entries=2)
def _history(folder: str) -> History | None:
    return load_history(Path(folder)) if (Path(folder) / HISTORY).exists() else None


@kept
def _ids(sentence: str, target: str | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    translation = runs.run(sentence).translation if target is None else target
    return runs.translator().pair_ids(runs.source(sentence), translation)
