"""The only cached functions: load the model, translate and record.

Everything cached is shared by all visitors, immutable, and bounded in number.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st
import torch

from model.checkpoints.card import Card, load_card
from model.interventions.base import Intervention, Lengths
from model.interventions.fitting import fitting
from model.recording.recording import Recording
from model.translator import Source, Translation, Translator, load_translator
from model.words import SPECIAL_TOKENS
from viz.compute.kept import kept

CHECKPOINT = os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr")


@dataclass(frozen=True, eq=False)
class Run:
    """A sentence, its greedy translation and the recording of both.

    `left_out` are the interventions that do not fit the model or this sentence.
    """

    source: Source
    translation: Translation
    recording: Recording
    left_out: tuple[Intervention, ...] = ()


@st.cache_resource(show_spinner=False, max_entries=2)
def translator(name: str = CHECKPOINT) -> Translator:
    """Load a checkpoint once per process."""
    return load_translator(name)


@st.cache_resource(show_spinner=False, max_entries=2)
def card() -> Card | None:
    """Read the card of the loaded checkpoint; None when it has not been measured."""
    try:
        return load_card(translator().folder)
    except ValueError:
        return None


@kept
def run(sentence: str, interventions: tuple[Intervention, ...] = ()) -> Run:
    """Translate and record a sentence; ValueError when there is nothing to translate."""
    loaded = translator()
    source = loaded.source(sentence)
    fit, misfit = fitting(interventions, loaded.config, Lengths(len(source.ids)))
    draft = run(sentence).translation.ids if fit else ()
    translation = loaded.translate(source.text, interventions=fit, draft=draft)
    target = min(1 + len(translation.ids), loaded.max_tokens)
    fit, beyond = fitting(fit, loaded.config, Lengths(len(source.ids), target))
    recording = loaded.record(source.text, translation, fit)
    return Run(source, translation, recording, (*misfit, *beyond))


def warm_up() -> None:
    """Load the model; ValueError when there is none. One thread of torch is steady, two are not."""
    torch.set_num_threads(1)
    translator()


def token_names(ids: Iterable[int]) -> list[str]:
    """Name pieces by id."""
    return translator().tokenizer.tokens([int(id_) for id_ in ids])


def predicted_tokens(recording: Recording) -> tuple[str, ...]:
    """Name the piece that each row of the decoder holds most probable as the next one."""
    ids = recording.logits.argmax(axis=1)  # T
    return tuple(token_names(ids))


def languages() -> tuple[str, ...]:
    """Return the tokens that ask the model for a target language; none of a damaged one."""
    try:
        return translator().tokenizer.languages
    except ValueError:
        return ()


def special_tokens() -> frozenset[str]:
    """Return the names of the tokens that are not text."""
    return frozenset(SPECIAL_TOKENS)


def checkpoint_name() -> str:
    """Name the checkpoint for a caption: its name and the first digits of its hash."""
    loaded = translator()
    name, digest = loaded.card.get("name", loaded.folder.name), loaded.card.get("sha256", "")
    return f"{name} ({digest[:8]})" if digest else str(name)
