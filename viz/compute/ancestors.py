"""The recurrent models, cached: their translations, recordings, scores and measures.

Each model is named after the Transformer beside it: "en-fr-dot" beside "en-fr".
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from model.checkpoints.card import LENGTHS, WINDOW, Card
from model.checkpoints.files import read_json
from model.measures.encoder_times import EncoderTime, encoder_times
from model.recurrent.attention import Dot
from model.recurrent.config import ATTENDING, Attending
from model.recurrent.looking import Looking
from model.recurrent.recurrent import Recurrent
from model.results import Run
from model.translator import Translator
from viz.compute import models, translators
from viz.compute.models import kept
from viz.compute.runs import card, card_of, recorded, source, translator

Array = NDArray[np.float32]


def transformer() -> str:
    """Return the name of the Transformer in force, or of that beside the recurrent model."""
    return models.transformer_beside(models.in_force())


def name_of(kind: Attending) -> str:
    """Return the name of the recurrent model of a kind."""
    return f"{transformer()}-{kind}"


def shipped() -> tuple[Attending, ...]:
    """Return the kinds that have a trained model."""
    folders = models.folders()
    return tuple(kind for kind in ATTENDING if name_of(kind) in folders)


def recurrent(kind: Attending) -> Translator:
    """Return the recurrent model of a kind."""
    return translators.loaded(name_of(kind))


def looked(kind: Attending, sentence: str, looking: Looking | None = None) -> Run:
    """Translate and record a sentence; ValueError if it is empty or `looking` does not fit."""
    with models.using(name_of(kind)):
        return _looked(sentence, looking or Looking())


@kept
def _looked(sentence: str, looking: Looking) -> Run:
    return translator().look(source(sentence), looking)


def given(kind: Attending, sentence: str, target: str) -> Run:
    """Record a sentence with a given translation; the run's `translation` stays the model's own."""
    with models.using(name_of(kind)):
        return replace(_looked(sentence, Looking()), recording=recorded(sentence, target))


def network(kind: Attending) -> Recurrent:
    """Return the network of a kind."""
    return translators.network_of(name_of(kind))


def weight(kind: Attending, name: str) -> Array:
    """Return a weight of a model as a read-only view; ValueError when there is no such weight."""
    try:
        matrix = network(kind).get_parameter(name)
    except AttributeError:
        raise ValueError(f"the {kind} model has no weight {name!r}") from None
    view = matrix.detach().numpy().view()
    view.setflags(write=False)
    return view


@torch.inference_mode()
def scores_by(kind: Attending, states: Array, memory: Array) -> Array:
    """Score decoder states (T, R) against encoder states (S, R) by a model's function: (T, S)."""
    attention = network(kind).decoder.attention
    if not isinstance(attention, Dot):
        raise ValueError(f"the {kind} model scores nothing")
    states_and_memory = (torch.from_numpy(np.array(x)).unsqueeze(0) for x in (states, memory))
    return attention.score(*states_and_memory)[0].numpy()


def recurrent_card(kind: Attending) -> Card | None:
    """Read the card of a recurrent model; None when it has not been measured."""
    return card_of(name_of(kind))


@dataclass(frozen=True, eq=False)
class Lengths:
    """The scores of a checkpoint by length of the source, and the command that measured them.

    Rows have words (or sentences in a row), mean_words, sentences, bleu and chrf.
    """

    command: str
    sentences: list[dict[str, Any]]
    in_a_row: list[dict[str, Any]]


def lengths(name: str) -> Lengths | None:
    """Read a model's scores by length (`python -m model.training.lengths`); None if unmeasured."""
    return _lengths(str(models.folders()[name]))


@st.cache_resource(show_spinner=False, max_entries=8)
def _lengths(folder: str) -> Lengths | None:
    path = Path(folder) / LENGTHS
    if not path.exists():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    return Lengths(content["command"], content["sentences"], content["in_a_row"])


@dataclass(frozen=True)
class Window:
    """The cost of a window on pairs whose source has `low` to `high` pieces.

    `scores` counts the scores of all pieces at all steps, `inside` the scores in the window.
    `asked` is the number of steps at which the model without a window looks most at a piece other
    than the end; `missed` counts the steps where this piece lies outside. `high` is None for the
    longest.
    """

    low: int
    high: int | None
    pairs: int
    steps: int
    scores: int
    inside: int
    asked: int
    missed: int


def windows() -> tuple[Window, ...]:
    """Read the measures of local attention, all pairs first; ValueError when the file is damaged.

    Returns none where nothing was measured.
    """
    path = models.folder_of(name_of("local-p")) / WINDOW
    if not path.exists():
        return ()
    try:
        return tuple(
            Window(row["from"], row["to"], **{name: int(row[name]) for name in _COUNTED})
            for row in read_json(path)["rows"]
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: {error} is missing or wrong") from error


_COUNTED = ("pairs", "steps", "scores", "inside", "asked", "missed")


def fixed_vector(sentence: str, kind: Attending = "none") -> Array:
    """Return the one vector (R,) to which a model without attention reduces a sentence."""
    # A copy: a view would keep the whole recording's array alive.
    return looked(kind, sentence).recording["decoder.0.cross_attn.context"][0].copy()


def best_aligned() -> tuple[int, int] | None:
    """Return layer and head, from 0, of the cross-attention head that aligns best.

    More often than in any other head, its strongest key is aligned with the predicted word. Returns
    None when the heads have not been measured.
    """
    measured = card()
    for row in measured.heads["best"] if measured and measured.heads else ():
        if (row["kind"], row["score"]) == ("cross", "aligned_predicted"):
            return int(row["layer"]) - 1, int(row["head"]) - 1
    return None


TIMED = (8, 16, 32, 64, 128, 256)
"""The lengths, in pieces, at which both encoders are timed."""


@kept
def times() -> dict[str, tuple[EncoderTime, ...]]:
    """Time the Transformer's encoder and the recurrent one on this machine."""
    networks = {
        "transformer": translators.loaded(transformer()).network,
        "recurrent": network(shipped()[0]),
    }
    return {name: encoder_times(encoder, TIMED) for name, encoder in networks.items()}
