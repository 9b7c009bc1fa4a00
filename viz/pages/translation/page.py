"""Translation, one head as a heatmap, and the shapes of everything recorded."""

import streamlit as st

from model.recording.sites import kinds_of
from viz.compute import runs
from viz.pages.translation.explanation import dims_in_words, explain
from viz.shared.attention import attention_heatmap
from viz.shared.figure import show_figure
from viz.shared.text import _
from viz.shell import state
from viz.shell.chooser import no_attention
from viz.shell.header import open_page, show_translation

run = open_page(
    _("Translation and recording"),
    _("The model translates the sentence; one head's attention shows where each piece looked."),
    takes_recurrent=True,
)
show_translation(run)

recording = run.recording
if kinds_of(recording.made_by):
    view = state.attention_controls(recording.made_by)
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
        explain(recording, weights.shape)
else:
    st.info(no_attention())

with st.expander(_("Shapes of everything recorded")):
    st.caption(dims_in_words(recording))
    st.dataframe(
        {
            _("site"): [site.name for site in recording.sites()],
            _("dims"): [" ".join(site.dims) for site in recording.sites()],
            _("shape"): [" x ".join(map(str, site.shape)) for site in recording.sites()],
            _("what it is"): [site.meaning for site in recording.sites()],
        },
        hide_index=True,
    )
