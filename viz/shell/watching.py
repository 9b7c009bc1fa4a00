"""The listener in the browser, which gets the current sentence and focus."""

import streamlit as st

from model.words import Span, is_mute, words_of
from viz.compute import runs
from viz.link import focus
from viz.shell import state
from viz.shell.fragment import fragment
from viz.shell.watch import Sentence, watch


@fragment
def watch_page() -> None:
    """Make this page hear what is chosen in the browser."""
    with st.container(key="watcher"):
        watch(_sentence(), focus.take_explorer)


def _sentence() -> Sentence | None:
    """Describe the sentence in the box for the listener; None if it has no attention to show."""
    try:
        run, first = runs.run(state.sentence()), focus.opening()
    except ValueError:
        return None
    if not first.heads:
        return None
    view = state.shown_head(run.recording.made_by)
    heads = first.places()
    heads[view.kind] = view.layer, view.head
    spans: list[Span | None] = []
    for word in words_of(run.source.tokens):
        span = None if is_mute(run.source.tokens[word.first]) else (word.first, word.last)
        spans += [span] * (word.last + 1 - word.first)
    return Sentence(tuple(spans), view.kind, heads)
