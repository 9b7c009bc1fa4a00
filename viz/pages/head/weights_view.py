"""The weights of one head, of every query on every key, as an exact heatmap."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.results import Run
from viz.compute import runs
from viz.compute.taken import taken, value_lengths
from viz.figures.attention import attention_heatmap
from viz.figures.figure import show_figure
from viz.language.text import _, later
from viz.link.choice import choose_one
from viz.pages.head.explanation import explain
from viz.shell import state
from viz.shell.chooser import no_attention
from viz.shell.finding import quoted, say

LOOKS, TAKEN = later("where it looks"), later("what is taken")


def show_weights(run: Run) -> None:
    """Draw the weights of a head; a row of the decoder names the given and the predicted piece."""
    recording = run.recording
    if not recording.made_by.kinds:
        st.info(no_attention())
        return
    view = state.attention_controls(recording)
    queries, keys = recording.tokens(view.kind)
    if view.kind != "encoder":
        predicted = runs.predicted_tokens(recording)
        queries = [f"{given} → {next_}" for given, next_ in zip(queries, predicted, strict=True)]
    weights = recording.attention(view.kind)[view.layer, view.head]
    drawn, title, name = weights, state.head_name(view), None
    lengths = value_lengths(recording)
    if lengths and choose_one(_("Shown"), (LOOKS, TAKEN), "cells", bare=True) == TAKEN:
        own = lengths[view.kind][view.layer, view.head]
        drawn = taken(recording, view.kind)[view.layer, view.head]
        name = _(TAKEN)
        say(_taken(drawn, own, keys))
    show_figure(attention_heatmap(drawn, queries, keys, title, state.current_theme(), name))
    with st.expander(_("What am I looking at?")):
        explain(recording, weights.shape)


def _taken(shares: NDArray[np.float32], lengths: NDArray[np.float32], keys: Sequence[str]) -> str:
    """Say how much a head takes (query, key) on average, and how long its values are (key,)."""
    return _(
        "Each cell is weight × length of the value, beside the longest one, {longest} of {most}. "
        "On average a row takes **{share}** of that; the shortest value, of {least}, is "
        "{shortest} long."
    ).format(
        longest=f"{lengths.max():.2f}",
        most=quoted(keys[int(lengths.argmax())]),
        share=f"{shares.sum(axis=-1).mean():.2f}",
        least=quoted(keys[int(lengths.argmin())]),
        shortest=f"{lengths.min():.2f}",
    )
