"""Through the layers: the architecture to click on, a token on its way, costs and shapes."""

import streamlit as st

from model.results import Run
from viz.language.text import _, later
from viz.pages.layers.alike_panel import alike
from viz.pages.layers.block_panel import blocks
from viz.pages.layers.cost_panel import price
from viz.pages.layers.families_panel import masked_families
from viz.pages.layers.journey_panel import journey
from viz.pages.layers.shapes_panel import show_shapes
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page


def explain(run: Run) -> None:
    """Write the formulas of a layer and of the output, with this model's sizes."""
    config = run.recording.config
    variant = config.variant
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Every sublayer's output is added to what went in (the residual), then normalised "
                "for each token alone. The feed-forward network sees one token at a time, with the "
                "same weights everywhere: a 1x1 convolution over the positions."
            )
        )
        st.latex(r"x \leftarrow \text{LayerNorm}\left(x + \text{Sublayer}(x)\right)")
        functions = {"relu": r"\max(0,\ ", "none": "("}
        between = functions.get(variant.activation, rf"\text{{{variant.activation}}}(")
        st.latex(
            rf"\text{{FFN}}(x) = {between}x W_1 + b_1)\, W_2 + b_2,\quad "
            rf"{config.d_model} \to {config.d_ff} \to {config.d_model}"
        )
        if variant.tied:
            st.markdown(
                _("The output layer is tied: its weights are the embedding table E itself.")
            )
        bias = " + b" if variant.biased else ""
        st.latex(
            rf"p = \text{{softmax}}(x E^\top{bias}),\quad "
            rf"E: {config.target_vocab_size} \times {config.d_embedding}"
        )


VIEW = "layers"
PARTS = {
    later("blocks"): blocks,
    later("one token"): journey,
    later("encoder or decoder"): masked_families,
    later("layers compared"): alike,
    later("cost"): price,
    later("shapes"): show_shapes,
}

run = open_page()
if run.recording.made_by.kind != "transformer":
    with telling():
        show_shapes(run)
else:
    part = choose_view(list(PARTS), VIEW)
    with telling():
        fragment(PARTS[part])(run)  # a click redraws only this view
        if part == "blocks":
            explain(run)
