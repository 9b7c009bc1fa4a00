"""Translation, one head as a heatmap, and the shapes of everything recorded."""

import streamlit as st

from viz.compute import runs
from viz.shared.attention import attention_heatmap
from viz.shared.figure import show_figure
from viz.shared.text import _
from viz.shell import state
from viz.shell.header import open_page, show_translation

run = open_page(
    _("Translation and recording"),
    _("The model translates the sentence; one head's attention shows where each piece looked."),
)
show_translation(run)

recording = run.recording
view = state.attention_controls(recording.config)
queries, keys = recording.tokens(view.kind)
if view.kind != "encoder":
    predicted = runs.predicted_tokens(recording)
    queries = [f"{given} → {next_}" for given, next_ in zip(queries, predicted, strict=True)]
kinds = {
    "encoder": _("Encoder self-attention"),
    "decoder": _("Decoder self-attention"),
    "cross": _("Cross-attention"),
}
title = f"{kinds[view.kind]}, {state.place(view)}"
weights = recording.attention(view.kind)[view.layer, view.head]
figure = attention_heatmap(weights, queries, keys, title, state.current_theme())
show_figure(figure)

with st.expander(_("What am I looking at?")):
    st.markdown(
        _(
            "Each row is a **query**: a piece that gathers information. Its colours say how much "
            "of it comes from each **key**; the row sums to 1. This head computes"
        )
    )
    st.latex(
        r"\text{weights} = \text{softmax}\left(\frac{q\,k^\top}{\sqrt{d_k}} + \text{mask}\right),"
        rf"\quad d_k = \frac{{{recording.config.d_model}}}{{{recording.config.heads}}}"
        rf" = {recording.config.d_k},\quad \text{{weights}}: {len(queries)} \times {len(keys)}"
    )
    st.markdown(
        _(
            "In **encoder self-attention**, source pieces look at each other; in **decoder "
            "self-attention**, target pieces look at themselves and those before them; in "
            "**cross-attention**, target pieces look at the source. A decoder row is named after "
            "the piece it was given and, behind the arrow, the piece it predicts: *given → "
            "predicted*. Attention shows where a head looked, not why the model decided."
        )
    )

with st.expander(_("Shapes of everything recorded")):
    st.caption(
        _(
            "**S** source pieces, **T** target pieces, **D** width of the model, **H** heads, "
            "**Dk** width of one head, **F** width of the feed-forward layer, **V** vocabulary"
        )
    )
    st.dataframe(
        {
            _("site"): [site.name for site in recording.sites()],
            _("dims"): [" ".join(site.dims) for site in recording.sites()],
            _("shape"): [" x ".join(map(str, site.shape)) for site in recording.sites()],
            _("what it is"): [site.meaning for site in recording.sites()],
        },
        hide_index=True,
    )
