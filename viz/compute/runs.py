"""Loading the model, translating and recording.

The results are shared by all visitors, immutable, and bounded in bytes or in number.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from model.checkpoints.card import Card, load_card
from model.interventions.base import Intervention
from model.recording.recording import Recording
from model.results import Run, Source
from model.sites.sites import Kind
from model.transformer.config import PAPER
from model.translator import Translator
from model.words import SPECIAL_TOKENS, WORD_START
from viz.compute import examples, models, translators
from viz.compute.models import kept
from viz.sharing.progress import report


@dataclass(frozen=True)
class Subject:
    """The input of a run: a sentence, and the changes in the model."""

    sentence: str
    interventions: tuple[Intervention, ...] = ()


def translator() -> Translator:
    """Return the translator of the model in force; ValueError when its folder is damaged."""
    return translators.loaded(models.in_force())


def card() -> Card | None:
    """Read the card of the model in force; None when it has not been measured."""
    return card_of(models.in_force())


def card_of(name: str) -> Card | None:
    """Read the card of a model, which need not be loaded; None when it has not been measured."""
    return _card(str(models.folder_of(name)))


@st.cache_resource(show_spinner=False, max_entries=16)
def _card(folder: str) -> Card | None:
    try:
        return load_card(Path(folder))
    except ValueError:
        return None


@kept
def source(sentence: str) -> Source:
    """Cut a sentence into pieces; ValueError when there is nothing to translate."""
    return translator().source(sentence)


@kept
def run(sentence: str, interventions: tuple[Intervention, ...] = ()) -> Run:
    """Translate and record a sentence; ValueError when there is nothing to translate.

    It reports its progress relative to the source's length, which is usually the translation's too.
    """
    near = run(sentence) if interventions else None
    return translator().run(
        source(sentence), interventions, near=near, progress=report, lenient=True
    )


@kept
def recorded(sentence: str, target: str) -> Recording:
    """Record a sentence with a given translation; ValueError when either is empty."""
    return translator().record(source(sentence), target)


def warm_up() -> None:
    """Load the model; ValueError when there is none. torch gets one thread, for steady times."""
    torch.set_num_threads(1)
    translator()


def token_names(ids: Iterable[int]) -> list[str]:
    """Return the texts of pieces, given by their ids."""
    return translator().target_tokenizer.tokens([int(id_) for id_ in ids])


def rival(id_: int) -> int | None:
    """Return the rival of a piece, such as elle for il; None when the examples name no rival."""
    (name,) = token_names([id_])
    word = name.removeprefix(WORD_START)
    other = examples.current().rival(word)
    if other is None:
        return None
    try:
        return translator().target_tokenizer.id(name.removesuffix(word) + other)
    except ValueError:  # the rival is more than one piece
        return None


def predicted_tokens(recording: Recording) -> tuple[str, ...]:
    """Return the text of each row's most probable next piece."""
    ids = recording.logits.argmax(axis=1)  # T
    return tuple(token_names(ids))


def is_foreign() -> bool:
    """Return True if the model was made elsewhere, perhaps for other languages."""
    config = translator().network.config
    return config.kind == "transformer" and config.variant != PAPER


def languages() -> tuple[str, ...]:
    """Return the tokens that ask the model for a target language; empty for a damaged model."""
    try:
        return translator().tokenizer.languages
    except ValueError:
        return ()


def attention(recording: Recording, kind: Kind) -> NDArray[np.float32]:
    """Return the weights (L, H, query, key) of a kind; (0, 0, ...) where the model has none."""
    if recording.made_by.layers(kind):
        return recording.attention(kind)
    queries, keys = recording.tokens(kind)
    return np.zeros((0, 0, len(queries), len(keys)), np.float32)


def special_tokens() -> frozenset[str]:
    """Return the names of the tokens that are not text."""
    return frozenset(SPECIAL_TOKENS)


def checkpoint_name() -> str:
    """Return the checkpoint's name and the first digits of its hash, for a caption."""
    loaded = translator()
    name, digest = loaded.card.get("name", loaded.name), loaded.card.get("sha256", "")
    return f"{name} ({digest[:8]})" if digest else str(name)
