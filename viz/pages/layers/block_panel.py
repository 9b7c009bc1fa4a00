"""The view "blocks": the architecture to click on, and the output of the chosen block."""

import numpy as np
import streamlit as st

from model.sites.sites import Stack
from model.translator import Run
from viz.compute import runs
from viz.figures.figure import show_figure
from viz.figures.labels import kind_names
from viz.figures.weights import softmax
from viz.language.text import _
from viz.pages.layers import numbers
from viz.pages.layers.architecture import architecture
from viz.pages.layers.architecture.blocks import SOFTMAX, Block, purpose
from viz.pages.layers.code_panel import code_panel
from viz.pages.layers.tensor import piece_heatmap, tensor_heatmap
from viz.shell import state

PIECES = 16  # the number of pieces of the vocabulary whose logits are shown


# If too little room is left beside the architecture, the chosen block goes below it.
ROOM = "<style>div:has(> .st-key-block) {min-width: min(380px, 100%)}</style>"


def drawing(run: Run) -> Block:
    """Draw the architecture with this sentence's shapes; return the chosen block."""
    config = run.recording.config
    shapes = {site.name: site.shape for site in run.recording.sites()}
    shapes[SOFTMAX] = shapes["decoder.logits"]
    layers: dict[Stack, int] = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    view = state.shown_head(config)
    stack, part = ("encoder" if view.kind == "encoder" else "decoder"), "self_attn"
    if view.kind == "cross":
        part = "cross_attn"
    return architecture(layers, shapes, f"{stack}.{view.layer}.{part}.out")


def detail(run: Run, chosen: Block) -> None:
    """Draw the chosen block's tensor and its purpose; of the logits only a few pieces."""
    recording, theme = run.recording, state.current_theme()
    tokens = recording.source_tokens if chosen.stack == "encoder" else recording.target_tokens
    output = chosen.site in (SOFTMAX, "decoder.logits")
    values = recording.logits if output else recording[chosen.site]
    shape = " × ".join(map(str, values.shape))
    layer = "" if chosen.layer is None else _(", layer {layer}").format(layer=chosen.layer + 1)
    st.subheader(chosen.title, anchor=False)
    st.caption(f"{kind_names()[chosen.stack]}{layer} · {shape} · `{chosen.site}`")
    st.markdown(purpose(chosen.site, recording.config))
    if not output:
        show_figure(tensor_heatmap(values, tokens, theme), "tensor")
        return
    likely = numbers.likely_pieces(values, PIECES)
    odds = chosen.site == SOFTMAX
    shown = (softmax(values.astype(np.float64)) if odds else values)[:, likely]
    st.caption(
        _(
            "{shown} of {all} pieces: those most probable anywhere, by what comes after each token."
        ).format(shown=PIECES, all=values.shape[1])
    )
    show_figure(piece_heatmap(shown, tokens, runs.token_names(likely), odds, theme), "tensor")
    if odds:
        st.latex(r"p_i = \frac{e^{s_i}}{\sum_m e^{s_m}},\qquad \sum_i p_i = 1")
    else:
        lengths = numbers.norms(values)
        st.caption(
            _("Length of each token's vector of scores: {low} to {high}.").format(
                low=f"{lengths.min():.1f}", high=f"{lengths.max():.1f}"
            )
        )


def blocks(run: Run) -> None:
    """Draw the architecture, the chosen block beside or below it, and its code."""
    st.html(ROOM)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=516):
            chosen = drawing(run)
        with st.container(width="stretch", key="block"):
            detail(run, chosen)
    code_panel(run, chosen)  # below both: beside the architecture, half of each line was cut off
