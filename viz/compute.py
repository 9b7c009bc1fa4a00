"""The only cached functions: load the model, translate and record.

Everything cached is shared by all visitors, immutable, and bounded in number.
"""

import gc
import os
from dataclasses import dataclass

import streamlit as st
import torch

from model.interventions import Intervention
from model.recording import Recording
from model.translator import Source, Translation, Translator, load_translator

CHECKPOINT = os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr")


@dataclass(frozen=True, eq=False)
class Run:
    """A sentence, its greedy translation and the recording of both."""

    source: Source
    translation: Translation
    recording: Recording


@st.cache_resource(show_spinner=False, max_entries=2)
def translator(name: str = CHECKPOINT) -> Translator:
    """Load a checkpoint once per process."""
    return load_translator(name)


@st.cache_resource(show_spinner=False, max_entries=64)
def run(sentence: str, interventions: tuple[Intervention, ...] = ()) -> Run:
    """Translate and record a sentence; ValueError when there is nothing to translate."""
    loaded = translator()
    source = loaded.source(sentence)
    translation = loaded.translate(source.text)
    recording = loaded.record(source.text, translation, interventions)
    return Run(source, translation, recording)


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
