"""Attention explorer: every layer, head and token of the sentence."""

from dataclasses import replace

import streamlit as st

from model.interventions.masks import HideSource
from model.results import Run
from model.sites.sites import Head
from viz.components.attention_explorer import attention_explorer
from viz.components.attention_explorer.recording import ExplorerRecording, Start
from viz.compute import models, runs
from viz.language.text import _
from viz.link import address, edits, focus
from viz.link.offers import head_offers, here
from viz.pages.attention.explanation import explain
from viz.pages.attention.explored import explored
from viz.pages.attention.turned_chances import answer_turns
from viz.shell.chooser import no_attention
from viz.shell.cover import telling
from viz.shell.header import open_page
from viz.shell.state import head_name, sentence, show_head

OPENED = "explorer opened"
"""The last sentence and model, the head on which it opened, and the previous sentence's head."""


def start() -> Start:
    """Return the chosen head and query, or the head on which the sentence opens, with no query."""
    chosen, first = focus.current(), focus.opening()
    heads = first.places()
    kind = chosen.kind if chosen.kind in heads else first.kind
    if chosen.layer is not None and chosen.kind in (kind, None):
        heads[kind] = chosen.layer, heads[kind][1] if chosen.head is None else chosen.head
    return Start(kind, heads, chosen.query(kind), words=True)


def say_where_it_opens() -> None:
    """Say that a new sentence opens on another head than the last sentence, and offer that head."""
    opened = start()
    head = Head(opened.kind, *opened.heads[opened.kind])
    subject = sentence(), models.in_force()
    last: tuple[tuple[str, str], Head, Head | None] = st.session_state.get(
        OPENED, (subject, head, None)
    )
    before = last[2]
    if last[0][0] != subject[0]:
        before = last[1] if last[0][1] == subject[1] else None
    st.session_state[OPENED] = subject, head, before
    if before is None or before == head or focus.current().names_head:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            _("This sentence opens on {head}; before it was {before}.").format(
                head=head_name(head), before=head_name(before)
            ),
            width="content",
        )
        st.button(
            _("Stay with {before}").format(before=head_name(before)),
            type="tertiary",
            on_click=show_head,
            args=(before,),
        )


def masked(run: Run) -> frozenset[int]:
    """Return the places of the source that are masked out."""
    changes = edits.in_force(run.left_out)
    spans = [range(one.first, one.last + 1) for one in changes if isinstance(one, HideSource)]
    return frozenset(position for span in spans for position in span)


def drawn(run: Run, text: str, *, first: bool) -> ExplorerRecording:
    """Return a run for the explorer; only the `first` sentence can have a second beside it."""
    return replace(
        explored(run, text, start()),
        offers={
            "head": None if models.is_recurrent(models.in_force()) else head_offers(),
            "compare": here(second="{second}"),
        },
        masked=masked(run) if first else frozenset(),
        other=other() if first else None,
    )


def other() -> ExplorerRecording | None:
    """Return the run of the link's second sentence, for a comparison; None without one.

    Changes that name pieces of the sentence in the box are left out here.
    """
    second = address.parameters().get("second", "")
    changes = tuple(one for one in edits.interventions() if not one.names_pieces)
    try:
        return drawn(runs.run(second, changes), second, first=False) if second else None
    except ValueError:
        return None


run = open_page()
recording = run.recording
if recording.made_by.kinds:
    say_where_it_opens()
    with telling():
        attention_explorer(
            drawn(run, sentence(), first=True),
            key=f"explorer {models.in_force()} {address.arrival()}",
        )
        with st.expander(_("What am I looking at?")):
            explain(recording)
    answer_turns(sentence())
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
