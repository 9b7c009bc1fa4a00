"""The only cached functions: load the model, translate and record.

Everything cached is shared by all visitors, immutable, and bounded in number.
"""

import gc
import os
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from model.checkpoints.card import Card, load_card
from model.decoding.beam import Beam, Tree
from model.decoding.greedy import Greedy
from model.decoding.odds import odds
from model.decoding.sampling import Sampling
from model.decoding.steps import Choice, Strategy, normalised
from model.interventions.base import Intervention, Lengths
from model.interventions.fitting import fitting
from model.interventions.positions import (
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.recording.recording import Recording
from model.recording.sites import Kind, Stack, attention_site
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


@dataclass(frozen=True)
class Subject:
    """What is decoded: a sentence, by the model as the user changed it."""

    sentence: str
    interventions: tuple[Intervention, ...] = ()


@dataclass(frozen=True, eq=False)
class Decoding:
    """A decode step by step, where each step looked, and the ranked odds of what came next.

    Row t of the arrays chose step t: `self_attn` (L, H, T, T), `cross_attn` (L, H, T, S), the
    look-ahead `mask` (T, T), and as in `Odds` `ids` and `exact` (T, K), `bands` (T, bands).
    """

    choices: tuple[Choice, ...]
    translation: Translation
    source_tokens: tuple[str, ...]
    self_attn: NDArray[np.float32]
    cross_attn: NDArray[np.float32]
    mask: NDArray[np.bool_]
    ids: NDArray[np.int64]
    exact: NDArray[np.float32]
    bands: NDArray[np.float32]
    band_sizes: tuple[int, ...]


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


@st.cache_resource(show_spinner=False, max_entries=128)
def decode(
    subject: Subject, strategy: Strategy, forced: tuple[int, ...] = (), steps: int | None = None
) -> Decoding:
    """Decode a sentence step by step, at most `steps`; ValueError when a forced id is unknown."""
    loaded = translator()
    source, edits = loaded.source(subject.sentence), subject.interventions
    choices = tuple(islice(loaded.choices(source, strategy, forced, edits), steps))
    return _recorded(source, choices, edits)


@st.cache_resource(show_spinner=False, max_entries=32)
def beam_tree(subject: Subject, width: int, penalty: float, forced: tuple[int, ...] = ()) -> Tree:
    """Return all hypotheses of a beam search; ValueError when a forced id does not exist."""
    loaded = translator()
    source = loaded.source(subject.sentence)
    return loaded.tree(source, Beam(width, penalty), forced, subject.interventions)


def strategy(
    name: str,
    width: int,
    penalty: float,
    temperature: float,
    top_k: int,
    top_p: float,
    seed: int,
) -> Strategy:
    """Build a strategy from a page's settings; ValueError when there is none of this name."""
    match name:
        case "greedy":
            return Greedy()
        case "beam":
            return Beam(width, penalty)
        case "sampling":
            return Sampling(temperature, top_k, top_p, seed)
    raise ValueError(f"there is no strategy {name!r}")


def _recorded(
    source: Source, choices: tuple[Choice, ...], edits: tuple[Intervention, ...]
) -> Decoding:
    """Record one pass over what was decoded: its rows are those of the single steps.

    Edits of target positions that this decode did not reach are left out, as they did nothing.
    """
    loaded = translator()
    chosen = [choice.chosen for choice in choices]
    ids = [one.id for one in chosen if one.id != loaded.tokenizer.end_id]
    tokens = tuple(loaded.tokenizer.tokens(ids))
    log_prob = sum(one.log_prob for one in chosen)
    translation = Translation(loaded.tokenizer.decode(ids), tokens, tuple(ids), log_prob)
    target = min(1 + len(ids), loaded.max_tokens)
    fit = fitting(edits, loaded.config, Lengths(len(source.ids), target))[0]
    recording = loaded.record(source.text, translation, fit)
    count = len(choices)
    ranked = odds(normalised(torch.tensor(recording.logits[:count])))
    return Decoding(
        choices,
        translation,
        tuple(recording.source_tokens),
        recording.attention("decoder")[:, :, :count, :count],
        recording.attention("cross")[:, :, :count],
        recording["decoder.mask"][:count, :count],
        ranked.ids.numpy(),
        ranked.log_probs.float().numpy(),
        ranked.bands.float().numpy(),
        ranked.sizes,
    )


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


def parameter(name: str) -> NDArray[np.float32]:
    """Return one of the model's weights as a read-only view; a matrix is (out, in).

    Raises ValueError when the model has no such weight.
    """
    try:
        weight = translator().model.get_parameter(name)
    except AttributeError:
        raise ValueError(f"the model has no weight {name!r}") from None
    view = weight.detach().numpy().view()
    view.setflags(write=False)
    return view


def projection(kind: Kind, layer: int, part: str) -> tuple[NDArray[np.float32], ...]:
    """Return W (in, out) and b (out) of "q", "k", "v" or "out" of an attention sublayer."""
    stack, _, sublayer, name = attention_site(kind, layer, part).split(".")
    prefix = f"{stack}.layers.{layer}.{sublayer}.{name}"
    return parameter(f"{prefix}.weight").T, parameter(f"{prefix}.bias")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All pieces by id: their names, their embeddings (V, D) and those scaled to length 1.

    `mute` holds the ids that stand for no text of their own: special tokens and single bytes.
    """

    tokens: tuple[str, ...]
    embedding: NDArray[np.float32]
    units: NDArray[np.float32]
    mute: tuple[int, ...]


@st.cache_resource(show_spinner=False, max_entries=2)
def vocabulary(name: str = CHECKPOINT) -> Vocabulary:
    """Return the vocabulary of a checkpoint."""
    tokenizer = translator(name).tokenizer
    ids = range(len(tokenizer))
    embedding = parameter("embedding.weight")
    units = embedding / np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-12)
    units.setflags(write=False)
    mute = tuple(id_ for id_ in ids if tokenizer.score(id_) == 0)
    return Vocabulary(tuple(tokenizer.tokens(list(ids))), embedding, units, mute)


def predicted_tokens(recording: Recording) -> tuple[str, ...]:
    """Name the piece that each row of the decoder holds most probable as the next one."""
    ids = recording.logits.argmax(axis=1)  # T
    return tuple(translator().tokenizer.tokens([int(id_) for id_ in ids]))


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
