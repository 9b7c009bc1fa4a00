"""The explanation below the explorer, for both families of models."""

import streamlit as st

from model.recording.recording import Recording
from model.transformer.config import Scores
from viz.compute import runs
from viz.language.formula import scores_formula
from viz.language.sides import side_names
from viz.language.taught import as_list, taught
from viz.language.text import _


def explain(recording: Recording) -> None:
    """Explain queries, keys and weights in this model."""
    if recording.made_by.kind != "transformer":
        _explain_recurrent()
    else:
        _explain_transformer(recording.config.heads, recording.config.scores)
        card = runs.card()
        if card and (tasks := taught(card.settings)):
            st.markdown(as_list(tasks))


def _explain_recurrent() -> None:
    st.markdown(
        _(
            "The **query** is the decoder's state after reading a piece; it is scored against the "
            "encoder's state at every {source} piece, which is **key** and **value** at once. The "
            "weights say how much of each state flows into the step. This model has one such "
            "attention: no layers of it, no heads, and none inside {source} or {target}."
        ).format(**side_names())
    )
    st.latex(r"\alpha_{tj} = \text{softmax}_j(e_{tj}),\qquad c_t = \sum_j \alpha_{tj} h_j")
    st.markdown(
        _(
            "A row is named after the piece that was read and, behind the arrow, the piece it "
            "predicts. Weights are rounded to 1/255 for the browser; with local-p a window takes "
            "some of them away.\n\n"
            "Attention shows where the model looked. It does not show why it decided."
        )
    )


def _explain_transformer(heads: int, scores: Scores) -> None:
    st.markdown(
        _(
            "Every piece asks a question, its **query**, and compares it with the **key** of every "
            "piece it may look at. The weights of one query add up to 1; they say how much of each "
            "piece's **value** flows to it. Each of the {heads} heads in each layer does this with "
            "its own learned projections, so each can look for something else."
        ).format(heads=heads)
    )
    st.latex(
        rf"\text{{weights}} = \text{{softmax}}\left({scores_formula(scores)} + \text{{mask}}\right)"
    )
    st.markdown(
        _(
            "**Encoder**: {source} pieces look at each other. **Decoder**: {target} pieces look at "
            "themselves and the pieces before them. **Cross**: {target} pieces look at {source} "
            "ones. A decoder row is named after what it writes; shown in pieces, "
            "after the piece it was given and, behind the arrow, the one it predicts. "
            "Weights are rounded to 1/255 for the browser.\n\n"
            "Attention shows where a head looked. It does not show why the model decided: "
            "what flows along a line depends on the values too, and later layers may ignore it. "
            "A cross head often looks at the word whose translation is written, but need not: the "
            "memory of any {source} word can hold something of the others."
        ).format(**side_names())
    )
