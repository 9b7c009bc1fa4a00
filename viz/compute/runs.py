"""The only cached functions: load the model, translate and record.

Everything cached is shared by all visitors, immutable, and bounded in number.
"""

import gc
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import streamlit as st
import torch

from model.checkpoints.card import Card, load_card
from model.interventions.base import Intervention, Lengths
from model.interventions.fitting import fitting
from model.interventions.positions import (
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.recording.recording import Recording
from model.recording.sites import Stack
from model.tokenizer import SPECIAL_TOKENS
from model.translator import Source, Translation, Translator, load_translator

PositionChange = Literal["scaled", "shuffled", "shifted", "repeated"]
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


@st.cache_resource(show_spinner=False, max_entries=64)
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


def warm_up(sentence: str) -> None:
    """Load everything before the first visitor comes.

    Streamlit collects garbage after every run of the script, which takes 100 ms with torch
    imported; frozen objects are left alone, and it takes 2 ms. One torch thread serves steadily
    where two get into each other's way.
    """
    torch.set_num_threads(1)
    run(sentence)
    gc.collect()
    gc.freeze()


def token_names(ids: Iterable[int]) -> list[str]:
    """Name pieces by id."""
    return translator().tokenizer.tokens([int(id_) for id_ in ids])


def predicted_tokens(recording: Recording) -> tuple[str, ...]:
    """Name the piece that each row of the decoder holds most probable as the next one."""
    ids = recording.logits.argmax(axis=1)  # T
    return tuple(token_names(ids))


def special_tokens() -> frozenset[str]:
    """Return the names of the tokens that are not text."""
    return frozenset(SPECIAL_TOKENS)


def checkpoint_name() -> str:
    """Name the checkpoint for a caption: its name and the first digits of its hash."""
    loaded = translator()
    name, digest = loaded.card.get("name", loaded.folder.name), loaded.card.get("sha256", "")
    return f"{name} ({digest[:8]})" if digest else str(name)


@dataclass(frozen=True, eq=False)
class Moved:
    """What the model does with other positions: its own translation, and a recording.

    The recording is of the translation that the model gives with its positions as they are, so
    that its rows are those of the unchanged run.
    """

    translation: Translation
    recording: Recording


@st.cache_resource(show_spinner=False, max_entries=64)
def moved_positions(
    sentence: str,
    change: PositionChange,
    stacks: tuple[Stack, ...],
    amount: float,
    others: tuple[Intervention, ...] = (),
) -> Moved:
    """Translate and record a sentence with changed positions, on top of `others`.

    `amount` is the factor, seed, shift or 0-based position; ValueError when it does not fit.
    """
    loaded, unchanged = translator(), run(sentence, others)
    asked = tuple(_position_edit(change, stack, amount) for stack in stacks)
    lengths = Lengths(len(unchanged.source.ids), len(unchanged.recording.target_ids))
    fit, _misfit = fitting((*others, *asked), loaded.config, lengths)
    translation = loaded.translate(unchanged.source.text, interventions=fit)
    recording = loaded.record(unchanged.source.text, unchanged.translation, fit)
    return Moved(translation, recording)


def _position_edit(change: PositionChange, stack: Stack, amount: float) -> Intervention:
    match change:
        case "scaled":
            return ScalePositions(stack, amount)
        case "shuffled":
            return ShufflePositions(stack, int(amount))
        case "shifted":
            return ShiftPositions(stack, int(amount))
        case "repeated":
            return RepeatPosition(stack, int(amount))
