"""The view "blocks": the architecture to click on, and the output of the chosen block."""

import streamlit as st

from model.results import Run
from viz.language.text import _
from viz.link import focus
from viz.pages.layers.architecture import architecture
from viz.pages.layers.architecture.blocks import SOFTMAX, Block
from viz.pages.layers.code_panel import code_panel
from viz.shell import state
from viz.shell.finding import say

MEMORY = "encoder.memory"
"""The site of what the decoder gets of the sentence."""


def drawing(run: Run) -> Block:
    """Draw the architecture with this sentence's numbers; return the chosen block.

    It is the memory before anything is chosen, then the attention of the chosen head.
    """
    if not focus.current().names_head:
        return architecture(run, MEMORY, state.current_theme())
    view = state.shown_head(run.recording.config)
    stack, part = ("encoder" if view.kind == "encoder" else "decoder"), "self_attn"
    if view.kind == "cross":
        part = "cross_attn"
    default = f"{stack}.{view.layer}.{part}.out"
    return architecture(run, default, state.current_theme())


def blocks(run: Run) -> None:
    """Draw the architecture with what the chosen block hands on, and the block's code."""
    recording = run.recording
    say(
        _(
            "What does the decoder get from the encoder? Only the memory, **{count} × {width} "
            "numbers**. Click a block for its own."
        ).format(count=len(recording.source_tokens), width=recording.config.d_model)
    )
    chosen = drawing(run)
    if chosen.site == SOFTMAX:
        st.latex(r"p_i = \frac{e^{s_i}}{\sum_m e^{s_m}},\qquad \sum_i p_i = 1")
    code_panel(run, chosen)
