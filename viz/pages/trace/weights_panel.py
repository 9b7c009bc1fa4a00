"""The attention of one query of one head, set by hand."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.interventions.attention import SetAttention
from model.recording.trace import Trace
from model.sites.sites import Head
from viz.compute import runs, traces
from viz.figures.theme import QUERY
from viz.language.text import _
from viz.link import edits
from viz.pages.trace.weight_bars import distribution, set_weights, weight_bars
from viz.shell import state
from viz.shell.lessons.card import lesson_shown
from viz.shell.token_choice import choose_token

BARS = "weight bars"


def show_weights(found: Trace) -> None:
    """Draw the choice of a head and of a query, and its weights as bars to drag."""
    if not lesson_shown():  # whose card says what to do
        _explain()
    recording = runs.run(state.sentence()).recording  # of the unchanged model
    view = state.attention_controls(recording)
    queries, keys = recording.tokens(view.kind)
    asked = _("query: who is looking"), queries, view.kind
    query = choose_token(*asked, "query", QUERY)
    seen = list(keys[: query + 1] if view.kind == "decoder" else keys)
    own = recording.attention(view.kind)[view.layer, view.head, query, : len(seen)]
    now = _in_force(view, query)
    shown = now.weights if now and len(now.weights) == len(seen) else tuple(map(float, own))
    _presets(view, query, seen, found, changed=now is not None)

    def take() -> None:
        if weights := set_weights(BARS, len(seen)):
            _set(view, query, weights)

    weight_bars(seen, shown, own.tolist(), BARS, take, view.kind)


def _explain() -> None:
    st.markdown(
        _(
            "Where a head looks is only a row of numbers: **drag a bar**, and the head takes its "
            "values by your weights. The others give way, so that all add up to 1; a double click "
            "gives everything to one key. The words may stay: that a head is needed does not mean "
            "that its look at one word decides."
        )
    )


def _presets(view: Head, query: int, keys: Sequence[str], found: Trace, *, changed: bool) -> None:
    """Draw buttons for weights: uniform, those of the other sentence, and the model's own."""
    count = len(keys)
    offers: list[tuple[str, NDArray[np.float64]]] = [(_("Uniform"), np.full(count, 1 / count))]
    try:
        rows = traces.rows_of_other(state.sentence(), found.donor, view.kind, query)
        row = rows[view.layer, view.head, :count]
        offers.append((_("As in the other sentence"), row))
    except ValueError:
        st.caption(_("This query has no partner in the other sentence."))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for text, weights in offers:
            st.button(text, on_click=partial(_set, view, query, distribution(weights)))
        st.button(
            _("As the model has it"), disabled=not changed, on_click=partial(_free, view, query)
        )


def _in_force(view: Head, query: int) -> SetAttention | None:
    """Return the weights set for a query of a head; None while the model decides."""
    rows = edits.of_kind(edits.interventions(), SetAttention, **vars(view), query=query)
    return next(iter(rows), None)


def _set(view: Head, query: int, weights: tuple[float, ...]) -> None:
    """Set the weights of a query; for callbacks."""
    row = SetAttention(view.kind, view.layer, view.head, query, weights)
    edits.replace(SetAttention, [row], **vars(view), query=query)


def _free(view: Head, query: int) -> None:
    """Give a query its own weights back; for callbacks."""
    edits.replace(SetAttention, **vars(view), query=query)
