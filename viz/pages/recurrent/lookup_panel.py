"""Attention as lookup in a soft dictionary."""

import numpy as np
import streamlit as st

from model.recurrent.config import FIXED
from model.results import Run
from viz.compute import ancestors
from viz.figures.figure import show_figure
from viz.figures.weights import Floats, entropy, softmax
from viz.language.text import _
from viz.link.choice import choose_number
from viz.pages.recurrent.controls import choose_kind, choose_step
from viz.pages.recurrent.figures import score_bars
from viz.shell import state
from viz.shell.finding import say

POWERS = [tenths / 10 for tenths in range(-20, 21)]


def lookup(run: Run) -> None:
    """Draw one step's weights at a chosen temperature, from a hard lookup to the plain mean."""
    kind = choose_kind(_("Score function"), "lookup", without=(*FIXED, "local-p"))
    recording = ancestors.looked(kind, run.source.text).recording
    t = choose_step(_("the query: s_t after"), recording.target_tokens, kind)
    power = choose_number(_("Temperature, as a power of ten"), POWERS, "power", 0.0)
    scores = recording["decoder.0.cross_attn.scores"][0, t].astype(np.float64)
    weights = softmax(scores / 10**power)
    say(finding(scores, weights))
    named = {
        _("as trained"): softmax(scores),
        _("temperature {value:.2f}").format(value=10**power): weights,
    }
    show_figure(score_bars(named, recording.source_tokens, state.current_theme()), "lookup picture")
    values = recording["encoder.memory"]
    nearest = float(np.linalg.norm(weights @ values - values[scores.argmax()]))
    mean = float(np.linalg.norm(weights @ values - values.mean(axis=0)))
    st.caption(
        _(
            "Entropy {entropy:.2f} nats of at most {most:.2f}. What comes out is {nearest:.2f} "
            "away from the value of the best key and {mean:.2f} from the mean of all values."
        ).format(entropy=entropy(weights), most=np.log(len(scores)), nearest=nearest, mean=mean)
    )
    _explain()


def finding(scores: Floats, weights: Floats) -> str:
    """Say what the best key gets, as trained and, if they differ, with these weights (S,)."""
    trained = softmax(scores)
    template = (
        _(
            "How hard is the lookup? As trained the best key gets **{own:.0%}**; an even look "
            "would give it {even:.0%}."
        )
        if np.allclose(weights, trained)
        else _(
            "How hard is the lookup? The best key gets **{share:.0%}**, and as trained {own:.0%}; "
            "an even look would give it {even:.0%}."
        )
    )
    return template.format(share=weights.max(), own=trained.max(), even=1 / len(scores))


def _explain() -> None:
    st.markdown(
        _(
            "A dictionary has keys and values: a query that equals a key gets its value. Make "
            '"equals" soft and every key matches a little: a query q gets the values, each '
            "weighted by how well its key fits. Here the query is the decoder's state s_t; keys "
            "and values are both the states h_j. The Transformer gives each of the three a matrix "
            "of its own."
        )
    )
    st.latex(
        r"\text{lookup}(q) = \sum_j \text{softmax}_j"
        r"\left(\frac{\text{score}(q, k_j)}{\tau}\right) v_j,\qquad q = s_t,\ k_j = v_j = h_j"
    )
    st.markdown(
        _(
            "At a temperature τ near 0 the best key gets everything, as in a Python dictionary; "
            "at a very high one all keys get the same, and the lookup is the plain mean."
        )
    )
