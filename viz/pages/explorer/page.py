"""Attention explorer: every layer, head and token, at the speed of the mouse."""

import streamlit as st

from viz.compute import runs
from viz.pages.explorer.attention_explorer import attention_explorer
from viz.pages.explorer.attention_explorer.recording import ExplorerRecording
from viz.shared.text import _
from viz.shell.header import open_page
from viz.shell.state import arrival, sentence

run = open_page(
    _("Attention"),
    _("Each line is a **query** looking at a **key**: the stronger the line, the more it takes."),
)
recording = run.recording
attention_explorer(
    ExplorerRecording(
        source_tokens=tuple(recording.source_tokens),
        target_tokens=tuple(recording.target_tokens),
        predicted_tokens=runs.predicted_tokens(recording),
        encoder=recording.attention("encoder"),
        decoder=recording.attention("decoder"),
        cross=recording.attention("cross"),
        special_tokens=runs.special_tokens(),
        sentence=sentence(),
        translation=run.translation.text,
        checkpoint=runs.checkpoint_name(),
    ),
    key=f"explorer {arrival()}",
)

with st.expander(_("What am I looking at?")):
    st.markdown(
        _(
            "Every piece asks a question, its **query**, and compares it with the **key** of every "
            "piece it may look at. The weights of one query add up to 1; they say how much of each "
            "piece's **value** flows to it. Each of the {heads} heads in each layer does this with "
            "its own learned projections, so each can look for something else."
        ).format(heads=recording.config.heads)
    )
    st.latex(
        r"\text{weights} = \text{softmax}\left(\frac{q\,k^\top}{\sqrt{d_k}} + \text{mask}\right)"
    )
    st.markdown(
        _(
            "**Encoder**: English pieces look at each other. **Decoder**: French pieces look at "
            "themselves and the pieces before them. **Cross**: French pieces look at English "
            "ones. A decoder row is named after the piece it was given and, behind the arrow, "
            "the piece it predicts. Weights are rounded to 1/255 for the browser.\n\n"
            "Attention shows where a head looked. It does not show why the model decided: "
            "what flows along a line depends on the values too, and later layers may ignore it."
        )
    )

st.download_button(
    _("Download the whole recording (NPZ)"),
    recording.archive,
    file_name="headlight-recording.npz",
    mime="application/octet-stream",
    on_click="ignore",
    icon=":material/download:",
    help=_("Every query, key, value, score, weight and residual of this pass, by site name."),
)
