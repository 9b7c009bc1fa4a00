"""The only cached functions: load the model, translate and record.

Everything cached is shared by all visitors, immutable, and bounded in number.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from model.checkpoints.card import Card, load_card
from model.decoding.greedy import Greedy
from model.interventions.base import Intervention, Lengths
from model.interventions.fitting import fitting
from model.recording.recording import Recording
from model.recording.sites import Kind, layers_of
from model.transformer.config import PAPER, ModelConfig
from model.translator import Source, Translation, Translator
from model.words import SPECIAL_TOKENS
from viz.compute import models, translators
from viz.sharing.kept import kept
from viz.sharing.progress import reporting


@dataclass(frozen=True, eq=False)
class Run:
    """A sentence, its greedy translation and the recording of both.

    `left_out` are the interventions that do not fit the model or this sentence.
    """

    source: Source
    translation: Translation
    recording: Recording
    left_out: tuple[Intervention, ...] = ()


def translator() -> Translator:
    """Return the translator of the model in force; ValueError when its folder is damaged."""
    return translators.loaded(models.in_force())


def card() -> Card | None:
    """Read the card of the model in force; None when it has not been measured."""
    return _card(str(translator().folder))


@st.cache_resource(show_spinner=False, max_entries=8)
def _card(folder: str) -> Card | None:
    try:
        return load_card(Path(folder))
    except ValueError:
        return None


@kept
def run(sentence: str, interventions: tuple[Intervention, ...] = ()) -> Run:
    """Translate and record a sentence; ValueError when there is nothing to translate.

    Reports its progress, by the length of the source: as a rule the translation is about as long.
    """
    loaded = translator()
    source = loaded.source(sentence)
    fit, misfit = fitting(interventions, loaded.network.config, Lengths(len(source.ids)))
    draft = run(sentence).translation.ids if fit else ()
    with torch.inference_mode():
        scorer = reporting(loaded.scorer(source, fit, draft), len(source.ids))
        translation = loaded.translation(Greedy().steps(scorer, loaded.limits(source)))
    target = min(1 + len(translation.ids), loaded.max_tokens)
    fit, beyond = fitting(fit, loaded.network.config, Lengths(len(source.ids), target))
    recording = loaded.record(source.text, translation, fit)
    return Run(source, translation, recording, (*misfit, *beyond))


@kept
def recorded(sentence: str, target: str) -> Recording:
    """Record a sentence with a translation that is given; ValueError when one is empty."""
    return translator().record(sentence, target)


def warm_up() -> None:
    """Load the model; ValueError when there is none. One thread of torch is steady, two are not."""
    torch.set_num_threads(1)
    translator()


def token_names(ids: Iterable[int]) -> list[str]:
    """Name pieces by id."""
    return translator().target_tokenizer.tokens([int(id_) for id_ in ids])


def predicted_tokens(recording: Recording) -> tuple[str, ...]:
    """Name the piece that each row of the decoder holds most probable as the next one."""
    ids = recording.logits.argmax(axis=1)  # T
    return tuple(token_names(ids))


def is_foreign() -> bool:
    """Tell whether the model was made elsewhere, perhaps for other languages than ours."""
    config = translator().network.config
    return isinstance(config, ModelConfig) and config.variant != PAPER


def languages() -> tuple[str, ...]:
    """Return the tokens that ask the model for a target language; none of a damaged one."""
    try:
        return translator().tokenizer.languages
    except ValueError:
        return ()


def attention(recording: Recording, kind: Kind) -> NDArray[np.float32]:
    """Return the weights (L, H, query, key) of a kind; (0, 0, ...) where the model has none."""
    if layers_of(kind, recording.made_by):
        return recording.attention(kind)
    queries, keys = recording.tokens(kind)
    return np.zeros((0, 0, len(queries), len(keys)), np.float32)


def special_tokens() -> frozenset[str]:
    """Return the names of the tokens that are not text."""
    return frozenset(SPECIAL_TOKENS)


def checkpoint_name() -> str:
    """Name the checkpoint for a caption: its name and the first digits of its hash."""
    loaded = translator()
    name, digest = loaded.card.get("name", loaded.folder.name), loaded.card.get("sha256", "")
    return f"{name} ({digest[:8]})" if digest else str(name)
