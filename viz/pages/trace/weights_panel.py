"""The attention of one query of one head, set by hand."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.interventions.attention import SetAttention, TurnAttention
from model.recording.trace import Trace
from model.sites.sites import Head
from viz.compute import runs, traces
from viz.figures.theme import QUERY
from viz.language.text import _
from viz.link import edits
from viz.pages.trace.map_panel import show_answers, words
from viz.pages.trace.weight_bars import Arc, distribution, set_weights, turned_key, weight_bars
from viz.shell import state
from viz.shell.lessons.card import lesson_shown
from viz.shell.token_choice import choose_token

BARS = "weight bars"


def show_weights(trace: Trace) -> None:
    """Draw the choice of a head and a query, its weights as bars to drag, and the answers."""
    recording = runs.run(state.sentence()).recording  # the unchanged model's weights
    view = state.attention_controls(recording)
    queries, keys = recording.tokens(view.kind)
    asked = _("query: who is looking"), queries, view.kind
    query = choose_token(*asked, "query", QUERY)
    seen = list(keys[: query + 1] if view.kind == "decoder" else keys)
    own = recording.attention(view.kind)[view.layer, view.head, query, : len(seen)]
    now = _in_force(view, query, len(seen))
    shown = now or tuple(map(float, own))

    def take() -> None:
        if weights := set_weights(BARS, len(seen)):
            _set(view, query, weights)

    def turn() -> None:
        if (key := turned_key(BARS, len(seen))) is not None:
            _turn(view, query, key)

    start = None if view.kind == "cross" else query
    place = view, query, len(seen)
    answers = traces.answers_when_turned(state.sentence(), trace.donor, *place)
    arc = Arc(start, answers, words(trace), state.head_name(view))
    weight_bars(seen, shown, own.tolist(), arc, view.kind, key=BARS, on_set=take, on_turned=turn)
    show_answers(trace)
    _presets(view, query, seen, trace, now)
    if not lesson_shown():  # the lesson's card says what to do
        st.markdown(explained())


def explained() -> str:
    """Say what the weights are, and how to change them."""
    return _(
        "Where a head looks is only a row of numbers. **Drag the end of the arc** to another "
        "word, and all weight goes there; **drag a bar**, and the others give way, so that all "
        "add up to 1. The words may stay: a head can be needed without its look deciding."
    )


def preset_names() -> dict[str, str]:
    """Name the buttons for weights; `layer` has the number of the layer."""
    return {
        "uniform": _("Uniform"),
        "other": _("As in the other sentence"),
        "layer": _("So in all heads of layer {layer}"),
        "free": _("As the model has it"),
    }


def no_partner() -> str:
    """Say why there are no weights of the other sentence."""
    return _("This query has no partner in the other sentence.")


def _presets(
    view: Head, query: int, keys: Sequence[str], trace: Trace, now: tuple[float, ...] | None
) -> None:
    """Draw buttons for weights: uniform, the other sentence's, and the model's own.

    `now` are the weights that are set, if any.
    """
    count, names = len(keys), preset_names()
    offers: list[tuple[str, NDArray[np.float64]]] = [(names["uniform"], np.full(count, 1 / count))]
    try:
        rows = traces.rows_of_other(state.sentence(), trace.donor, view.kind, query)
        row = rows[view.layer, view.head, :count]
        offers.append((names["other"], row))
    except ValueError:
        st.caption(no_partner())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for text, weights in offers:
            st.button(text, on_click=partial(_set, view, query, distribution(weights)))
        st.button(
            names["layer"].format(layer=view.layer + 1),
            disabled=now is None,
            on_click=partial(_set_in_layer, view, query, now or ()),
        )
        st.button(names["free"], disabled=now is None, on_click=partial(_free, view, query))


def _in_force(view: Head, query: int, count: int) -> tuple[float, ...] | None:
    """Return the weights set for a query of a head, one per key; None while the model decides."""
    rows = edits.of_kind(edits.interventions(), SetAttention, **vars(view), query=query)
    for row in rows:
        if len(row.weights) == count:
            return row.weights
    for turn in edits.of_kind(edits.interventions(), TurnAttention, **_turned(view, query)):
        return tuple((key in turn.keys) / len(turn.keys) for key in range(count))
    return None


def _turned(view: Head, query: int) -> dict[str, Any]:
    """Return the fields of a turn of this query in this head alone."""
    return {"kind": view.kind, "query": query, "heads": ((view.layer, view.head),)}


def _set(view: Head, query: int, weights: tuple[float, ...]) -> None:
    """Set the weights of a query; for callbacks."""
    _free(view, query)
    row = SetAttention(view.kind, view.layer, view.head, query, weights)
    edits.set_interventions((*edits.interventions(), row))


def _turn(view: Head, query: int, key: int) -> None:
    """Give all weight of a query to one key; for callbacks."""
    _free(view, query)
    turn = TurnAttention(keys=(key,), **_turned(view, query))
    edits.set_interventions((*edits.interventions(), turn))


def _set_in_layer(view: Head, query: int, weights: tuple[float, ...]) -> None:
    """Set the weights of a query in all heads of a layer; for callbacks."""
    for head in range(runs.translator().config.heads):
        _set(Head(view.kind, view.layer, head), query, weights)


def _free(view: Head, query: int) -> None:
    """Give a query its own weights back; for callbacks."""
    edits.replace(SetAttention, **vars(view), query=query)
    edits.replace(TurnAttention, **_turned(view, query))
