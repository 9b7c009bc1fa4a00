"""Attention explorer: every layer, head and token, at the speed of the mouse."""

import streamlit as st

from model.recording.sites import kinds_of
from viz.compute import models, runs
from viz.pages.explorer.explanation import explain
from viz.shared.attention_explorer import attention_explorer
from viz.shared.attention_explorer.recording import ExplorerRecording
from viz.shared.text import _
from viz.shell.chooser import no_attention
from viz.shell.header import open_page
from viz.shell.state import arrival, sentence

run = open_page(
    _("Attention"),
    _("Each line is a **query** looking at a **key**: the stronger the line, the more it takes."),
    takes_recurrent=True,
)
recording = run.recording
if kinds_of(recording.made_by):
    attention_explorer(
        ExplorerRecording(
            source_tokens=tuple(recording.source_tokens),
            target_tokens=tuple(recording.target_tokens),
            predicted_tokens=runs.predicted_tokens(recording),
            encoder=runs.attention(recording, "encoder"),
            decoder=runs.attention(recording, "decoder"),
            cross=runs.attention(recording, "cross"),
            special_tokens=runs.special_tokens(),
            sentence=sentence(),
            translation=run.translation.text,
            checkpoint=runs.checkpoint_name(),
        ),
        key=f"explorer {models.in_force()} {arrival()}",
    )
    with st.expander(_("What am I looking at?")):
        explain(recording)
else:
    st.info(no_attention())

st.download_button(
    _("Download the whole recording (NPZ)"),
    recording.archive,
    file_name="headlight-recording.npz",
    mime="application/octet-stream",
    on_click="ignore",
    icon=":material/download:",
    help=_("Every query, key, value, score, weight and residual of this pass, by site name."),
)
