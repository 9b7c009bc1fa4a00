"""The step-through decoder: the translation written piece by piece, and written differently."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from viz.compute import runs
from viz.compute.runs import Subject
from viz.pages.decoder.scene import clearest_layer, scene_of
from viz.pages.decoder.step_decoder import answer_of, step_decoder
from viz.pages.decoder.step_decoder.branch import Scene
from viz.pages.decoder.step_decoder.view import (
    PARAMETERS,
    DecoderView,
    Forcing,
    ParsedView,
    parse_prefix,
    parse_view,
)
from viz.shared.text import _
from viz.shell.header import open_page

COMPONENT = "step decoder"
VIEW, SENTENCE, TURN, PROBLEM = (f"decoder {name}" for name in ("view", "text", "turn", "problem"))


def parsed(parameters: Mapping[str, str]) -> ParsedView:
    """Read a link or an answer by the sizes of the model."""
    config = runs.translator().config
    return parse_view(parameters, config.decoder_layers, config.heads)


def view_of(subject: Subject) -> DecoderView:
    """Return what the reader chose, at first from the link; another sentence starts afresh."""
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
    st.session_state[SENTENCE] = subject.sentence
    return st.session_state[VIEW]


def take_answer() -> None:
    """Keep what the reader chose in the browser; typed text becomes a branch or says why not."""
    answer = answer_of(COMPONENT)
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


def scene(subject: Subject, view: DecoderView) -> tuple[Scene, DecoderView]:
    """Decode the view; one that asks for pieces this model does not have loses its branches."""
    try:
        return scene_of(subject, view, st.session_state.get(PROBLEM, "")), view
    except ValueError:
        bare = view.for_another_sentence()
        problem = _("This link asks for pieces that this model does not have.")
        return scene_of(subject, bare, problem), bare


run = open_page(
    _("Step by step"),
    _("Step through the decoder: where it looks, what could come next, and what it takes."),
)


@st.fragment
def decoder(subject: Subject) -> None:
    """Draw the decoder. It runs alone, so that an answer does not redraw the page around it."""
    drawn, view = scene(subject, view_of(subject))
    st.session_state[VIEW] = view
    write_link(view)
    step_decoder(drawn, view, st.session_state.get(TURN, ""), COMPONENT, take_answer)


decoder(Subject(run.source.text, run.recording.interventions))

with st.expander(_("What am I looking at?")):
    st.markdown(
        _(
            "The decoder writes one piece at a time. At step t it is given the begin token and the "
            "t - 1 pieces taken so far. The **newest position** is the query: its self-attention "
            "looks at its own past, as far as the look-ahead mask lets it, and its cross-attention "
            "looks at the source. From its output come the probabilities of the next piece, "
            "and the translation's probability is the product of those of its pieces:"
        )
    )
    st.latex(r"\log p(y \mid x) = \sum_{t=1}^{T} \log p(y_t \mid y_1 \dots y_{t-1}, x)")
    st.markdown(
        _(
            "**Greedy** takes the most probable piece. **Beam search** keeps the best few "
            "hypotheses of each length and compares them by log-probability over a length penalty. "
            "**Sampling** divides the logits by the temperature, keeps the top k pieces, of those "
            "the fewest that reach p together, and draws one:"
        )
    )
    st.latex(
        r"\text{score}(y) = \frac{\log p(y \mid x)}{\left(\frac{5 + |y|}{6}\right)^{\alpha}},"
        r"\qquad p_i \propto \exp\left(\frac{\text{logit}_i}{\text{temperature}}\right)"
    )
    st.markdown(
        _(
            "Log-probabilities are in nats; the nearer to 0, the likelier. Attention shows where "
            "the decoder looked, not why it decided."
        )
    )
    card = runs.card()
    if card and (smoothing := card.settings.get("smoothing")):
        st.markdown(
            _(
                "Probabilities seldom exceed about 97 %: the model was trained with label "
                "smoothing of {smoothing}, which leaves {share:.0%} to all other pieces together, "
                "so it never learned to be surer."
            ).format(smoothing=smoothing, share=smoothing)
        )
