"""The topic "equal heads": the same gradient keeps them alike."""

from collections.abc import Mapping

import streamlit as st

from model.learning.equal_heads import Heads
from model.results import Run
from viz.compute import learning
from viz.compute.learning import ALIKE, DRAWN, NEARLY, STARTS
from viz.figures.labels import Number
from viz.language.text import _
from viz.pages.learning.alike_figure import alike_figure
from viz.pages.learning.lesson import picture
from viz.shell import state
from viz.shell.finding import say
from viz.shell.heavy import shown


def show(run: Run) -> None:
    """Train a small model from three starts; draw its loss, and how alike its heads stay."""
    with shown(_("Training small models")):
        heads_by_start = learning.equal_heads(run.source.text, STARTS)
    names = {
        ALIKE: _("all alike"),
        NEARLY: _("alike but for {share:.0%}").format(share=NEARLY),
        DRAWN: _("drawn at random"),
    }
    say(_finding(heads_by_start))
    named = {names[start]: heads for start, heads in heads_by_start.items()}
    picture(alike_figure(named, state.current_theme()), "alike")
    with st.expander(_("What am I looking at?")):
        _explain()


def _finding(heads_by_start: Mapping[float | None, Heads]) -> str:
    alike, drawn = heads_by_start[ALIKE], heads_by_start[DRAWN]
    sentence = _(
        "After {steps} steps, heads that began alike are alike to **{alike:.3f}**; drawn at random "
        "they began at {first:.2f}. The loss fell to {loss:.2f}, and from the random start to "
        "{other:.2f}."
    )
    return sentence.format(
        steps=len(alike.losses) - 1,
        alike=Number(alike.likeness[-1]),
        first=Number(drawn.likeness[0]),
        loss=alike.losses[-1],
        other=drawn.losses[-1],
    )


def _explain() -> None:
    st.markdown(
        _(
            "A small model ({heads} heads of {width} numbers, one layer on each side) learns this "
            "one pair, live, with Adam. *How alike* is the mean cosine between the weights of two "
            "heads of one attention. Heads with the same weights compute the same z from the same "
            "input. So the loss depends on each in the same way, and each gets the same gradient:"
        ).format(heads=learning.EQUAL.heads, width=learning.EQUAL.d_k)
    )
    st.latex(
        r"W^1 = W^2 \;\Rightarrow\; z^1 = z^2 \;\Rightarrow\; "
        r"\frac{\partial L}{\partial W^1} = \frac{\partial L}{\partial W^2}"
    )
    st.markdown(
        _(
            "Nothing in training can tell them apart: several heads do the work of one. Only "
            "random weights at the start make heads that can learn different things. A small "
            "difference is enough in principle, but it grows slowly."
        )
    )
