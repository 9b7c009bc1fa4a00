"""The explanation of a head's heatmap, for both families of models."""

import streamlit as st

from model.recording.recording import Recording
from viz.language.formula import scores_formula
from viz.language.text import _


def explain(recording: Recording, shape: tuple[int, ...]) -> None:
    """Explain a row of the heatmap and how it was computed; `shape` is (query, key)."""
    st.markdown(
        _(
            "Each row is a **query**: a piece that gathers information. Its colours say how much "
            "of it comes from each **key**; the row sums to 1. In the model as it was trained, "
            "this head computes"
        )
        if not recurrent(recording)
        else _(
            "Each row is a **query**: the decoder's state after reading a piece. Its colours say "
            "how much it takes of each **key**, the encoder's state at a piece. The model has this "
            "one attention and no heads; the scores e follow from both states."
        )
    )
    st.latex(_formula(recording, shape))
    st.markdown(_kinds(recording))


def recurrent(recording: Recording) -> bool:
    """Return True if a recurrent model made a recording."""
    return recording.made_by.kind != "transformer"


def _formula(recording: Recording, shape: tuple[int, ...]) -> str:
    size = rf"\quad \text{{weights}}: {shape[0]} \times {shape[1]}"
    if recurrent(recording):
        return r"\alpha_{tj} = \text{softmax}_j(e_{tj})," + size
    config = recording.config
    return (
        rf"\text{{weights}} = \text{{softmax}}\left({scores_formula(config.scores)} + "
        r"\text{mask}\right),"
        rf"\quad d_k = \frac{{{config.d_model}}}{{{config.heads}}} = {config.d_k},{size}"
    )


def _kinds(recording: Recording) -> str:
    if recurrent(recording):
        return _(
            "A row is named after the piece that was read and, behind the arrow, the piece it "
            "predicts: *given → predicted*. With local-p a window takes some weight away, so that "
            "a row may add up to less than 1. Attention shows where the model looked, not why it "
            "decided."
        )
    return _(
        "In **encoder self-attention**, source pieces look at each other; in **decoder "
        "self-attention**, target pieces look at themselves and those before them; in "
        "**cross-attention**, target pieces look at the source. A decoder row is named after "
        "the piece it was given and, behind the arrow, the piece it predicts: *given → "
        "predicted*. Attention shows where a head looked, not why the model decided."
    )
