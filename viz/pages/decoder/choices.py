"""What the reader chose: read from the link and from the browser, and written to the link."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from model.recording.sites import heads_of, layers_of
from viz.compute import models, runs
from viz.compute.decodes import Subject
from viz.pages.decoder.scene import clearest_layer
from viz.pages.decoder.step_decoder import answer_of
from viz.pages.decoder.step_decoder.view import (
    PARAMETERS,
    DecoderView,
    Forcing,
    ParsedView,
    parse_prefix,
    parse_view,
)
from viz.shared.text import _

COMPONENT = "step decoder"


VIEW, SENTENCE, TURN, PROBLEM, MODEL = (
    f"decoder {name}" for name in ("view", "text", "turn", "problem", "model")
)


def component() -> str:
    """Return the component's key: one for each model, as it builds its controls only once."""
    return f"{COMPONENT} {models.in_force()}"


def parsed(parameters: Mapping[str, str]) -> ParsedView:
    """Read a link or an answer by the sizes of the model."""
    config = runs.translator().network.config
    return parse_view(parameters, layers_of("cross", config) or 1, heads_of(config))


def view_of(subject: Subject) -> DecoderView:
    """Return what the reader chose, at first from the link; what is about a sentence goes with it.

    Another model has other layers and heads, and perhaps other pieces.
    """
    model = models.in_force()
    if VIEW not in st.session_state:
        read = parsed(st.query_params.to_dict())
        view = read.view
        if "attention_layer" not in st.query_params or "attention_layer" in read.malformed:
            view = replace(view, attention_layer=clearest_layer(subject))
        st.session_state[VIEW] = view
        if read.malformed:
            names = ", ".join(read.malformed)
            st.session_state[PROBLEM] = _("This link could not be read whole: {names}.").format(
                names=names
            )
    elif st.session_state.get(SENTENCE, subject.sentence) != subject.sentence:
        st.session_state[VIEW] = st.session_state[VIEW].for_another_sentence()
    if st.session_state.get(MODEL, model) != model:
        bare = st.session_state[VIEW].for_another_sentence()
        layer = clearest_layer(subject)
        st.session_state[VIEW] = replace(bare, attention_layer=layer, attention_head=None)
    st.session_state[SENTENCE], st.session_state[MODEL] = subject.sentence, model
    return st.session_state[VIEW]


def take_answer() -> None:
    """Keep what the reader chose in the browser; typed text becomes a branch or says why not."""
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
    st.session_state[VIEW] = view


def with_branch(view: DecoderView, forcing: Forcing) -> DecoderView:
    """Choose the branch of these pieces, a new one unless it is there already."""
    known = [branch.ids for branch in view.branches]
    if forcing.ids in known:
        return replace(view, branch=known.index(forcing.ids) + 1, node=None)
    branches = (*view.branches, forcing)
    return replace(view, branches=branches, branch=len(branches), node=None)


def write_link(view: DecoderView) -> None:
    """Let the address bar say what is on screen."""
    parameters = view.to_parameters()
    for name in PARAMETERS:
        if name in parameters:
            st.query_params[name] = parameters[name]
        elif name in st.query_params:
            del st.query_params[name]
