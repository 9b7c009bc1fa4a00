"""The weights of one head, of every query on every key, as an exact heatmap."""

import streamlit as st

from model.results import Run
from viz.compute import runs
from viz.figures.attention import attention_heatmap
from viz.figures.figure import show_figure
from viz.language.text import _
from viz.pages.head.explanation import explain
from viz.shell import state
from viz.shell.chooser import no_attention


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
    title = state.head_name(view)
    weights = recording.attention(view.kind)[view.layer, view.head]
    show_figure(attention_heatmap(weights, queries, keys, title, state.current_theme()))
    with st.expander(_("What am I looking at?")):
        explain(recording, weights.shape)
