"""The reader's choices: read from the link and from the browser, and written to the link."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from viz.compute import models, openings, runs
from viz.compute.runs import Subject
from viz.language.text import _
from viz.link import address, focus
from viz.link.branches import Forcing, parse_prefix
from viz.link.focus import Focus
from viz.pages.decoder.step_decoder import answer_of
from viz.pages.decoder.step_decoder.view import (
    PARAMETERS,
    DecoderView,
    ParsedView,
    parse_view,
)

COMPONENT = "step decoder"


VIEW, PIECES, TURN, PROBLEM, TOLD = (
    f"decoder {name}" for name in ("view", "pieces", "turn", "problem", "told")
)


def component() -> str:
    """Return the component's key, which differs by model, as its controls are built only once."""
    return f"{COMPONENT} {models.in_force()}"


def parsed(parameters: Mapping[str, str]) -> ParsedView:
    """Read a link or an answer of the browser, for the sizes of the model in force."""
    config = runs.translator().network.config
    return parse_view(parameters, config.layers("cross") or 1, config.heads)


def view_of(subject: Subject) -> DecoderView:
    """Return the reader's choices, at first from the link; other pieces begin anew.

    A head or a step that was chosen on another page since then counts here, too.
    """
    pieces = subject.sentence, models.in_force()
    before = st.session_state.get(PIECES, pieces)
    if address.counts(VIEW):
        view = _linked_view()
    else:
        view = st.session_state[VIEW]
        if before != pieces:
            view = _for_other_pieces(view, before)
    if st.session_state.get(TOLD) != focus.current():
        view = _obeying(view, focus.current())
    st.session_state[VIEW], st.session_state[PIECES] = view, pieces
    _tell(replace(focus.current(), step=view.step - 1))
    return view


def _linked_view() -> DecoderView:
    """Read the view from the link; a missing head or step is where the sentence opens."""
    given = address.parameters()
    read = parsed(given)
    view = read.view
    if read.malformed:
        st.session_state[PROBLEM] = _("This link could not be read whole: {names}.").format(
            names=", ".join(read.malformed)
        )
    st.session_state.pop(TOLD, None)
    said = given.keys() - set(read.malformed)
    layer, head = focus.opening().head("cross")
    if "attention_layer" in said:
        if not focus.current().names_head:
            _tell(_with_head(focus.current(), view))
        st.session_state[TOLD] = focus.current()
    else:
        view = replace(view, attention_layer=layer)
        if "attention_head" not in said:
            view = replace(view, attention_head=head)
    return view if said & set(PARAMETERS) else replace(view, step=focus.opening().step + 1)


def _for_other_pieces(view: DecoderView, before: tuple[str, str]) -> DecoderView:
    """Begin where the sentence opens, but keep a head that was chosen in the same model."""
    first, (sentence, model) = focus.opening(), before
    shown = view.attention_layer, view.attention_head
    if model != models.in_force() or shown == openings.opening(sentence).head("cross"):
        layer, head = first.head("cross")
        view = replace(view, attention_layer=layer, attention_head=head)
    return replace(view.for_another_sentence(), step=first.step + 1)


def _obeying(view: DecoderView, asked: Focus) -> DecoderView:
    """Return the view with the head and the step that were chosen on another page."""
    layers = runs.translator().network.config.layers("cross")
    if asked.kind in ("decoder", "cross") and asked.layer is not None and asked.layer < layers:
        view = replace(view, attention_layer=asked.layer, attention_head=asked.head)
    return view if asked.step is None else replace(view, step=asked.step + 1)


def _with_head(asked: Focus, view: DecoderView) -> Focus:
    """Return the focus with the head of a view; a mean leaves the focus unchanged."""
    layer, head = view.attention_layer, view.attention_head
    if layer is None or head is None:
        return asked
    return replace(
        asked, kind="decoder" if asked.kind == "decoder" else "cross", layer=layer, head=head
    )


def _tell(asked: Focus) -> None:
    """Choose a focus for all pages; this page already shows it."""
    st.session_state[TOLD] = asked
    if asked != focus.current():
        focus.choose(asked)


def take_answer() -> None:
    """Keep the reader's choices in the browser; typed text becomes a branch, or a notice."""
    answer = answer_of(component())
    if not answer:
        return
    view = parsed(answer).view
    st.session_state[PROBLEM] = ""
    st.session_state[TURN] = answer.get("turn", "")
    if typed := answer.get("typed"):
        try:
            forced = runs.translator().forced_ids(typed)
        except ValueError:
            st.session_state[PROBLEM] = _(
                "{typed} cannot be forced: no piece is like that."
            ).format(typed=repr(typed))
        else:
            view = with_branch(view, Forcing(parse_prefix(answer.get("prefix", "")), forced))
    shown = st.session_state[VIEW]
    asked = replace(focus.current(), step=view.step - 1)
    if view.attention_layer != shown.attention_layer or view.attention_head != shown.attention_head:
        asked = _with_head(asked, view)
    _tell(asked)
    st.session_state[VIEW] = view


def with_branch(view: DecoderView, forcing: Forcing) -> DecoderView:
    """Return the view with the branch of these pieces chosen, and added if it is new."""
    known = [branch.ids for branch in view.branches]
    if forcing.ids in known:
        return replace(view, branch=known.index(forcing.ids) + 1, node=None)
    branches = (*view.branches, forcing)
    return replace(view, branches=branches, branch=len(branches), node=None)


def write_link(view: DecoderView) -> None:
    """Write the view into the link."""
    address.put({**dict.fromkeys(PARAMETERS, ""), **view.to_parameters()})
