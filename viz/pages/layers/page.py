"""Through the layers: the architecture to click, a token on its way, and what it all costs."""

import streamlit as st

from viz.compute.runs import Run
from viz.pages.layers.block_panel import blocks
from viz.pages.layers.cost_panel import price
from viz.pages.layers.journey_panel import journey
from viz.shared.text import _
from viz.shell.header import open_page


def explain(run: Run) -> None:
    """Write the formulas of a layer with this model's sizes."""
    config = run.recording.config
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Every sublayer's output is added to what went in (the residual), then normalised "
                "for each token alone. The feed-forward network sees one token at a time, with the "
                "same weights everywhere: a 1x1 convolution over the positions. The output layer "
                "is tied: its weights are the embedding table E itself."
            )
        )
        st.latex(r"x \leftarrow \text{LayerNorm}\left(x + \text{Sublayer}(x)\right)")
        st.latex(
            rf"\text{{FFN}}(x) = \max(0,\ x W_1 + b_1)\, W_2 + b_2,\quad "
            rf"{config.d_model} \to {config.d_ff} \to {config.d_model}"
        )
        st.latex(
            rf"p = \text{{softmax}}(x E^\top),\quad E: {config.vocab_size} \times {config.d_model}"
        )


run = open_page(
    _("Through the layers"),
    _("Click a block to see what flows out of it; below, follow one token from layer to layer."),
)
# Each part is a fragment: a click redraws its own figures only.
st.fragment(blocks)(run)
st.fragment(journey)(run)
st.fragment(price)(run)
explain(run)
