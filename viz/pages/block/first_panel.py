"""The view of norms after or before sublayers: all layers' gradients before the first step."""

import streamlit as st

from model.learning.beginning import RULES, FirstGradients, Norms, Rule
from model.results import Run
from model.sites.sites import STACKS, Stack
from viz.compute import learning
from viz.figures.figure import show_figure
from viz.language.text import _, later
from viz.link.choice import choose_one
from viz.pages.block.first_figure import gradients_figure
from viz.shell import state
from viz.shell.finding import say
from viz.shell.heavy import shown

DEPTHS = {"2": "2", "4": "4", "6": "6", "12": "12"}
PLACES: tuple[Norms, ...] = ("after", "before")

_RULES = (later("this project's"), later("Xavier's"))


def first_panel(run: Run) -> None:
    """Draw the gradients of a small model with random weights, on this sentence."""
    st.markdown(
        _(
            "Random weights, before the first step, on this sentence. Where a line rises, the "
            "lower layers get a shorter gradient."
        )
    )
    answer = st.container()
    row = st.container(horizontal=True, gap="large", vertical_alignment="bottom")
    names: dict[Rule, str] = {rule: _(rule) for rule in RULES}
    rule: Rule = choose_one(
        _("Weights drawn by the rule"), names, "drawn by", default="Xavier's", row=row
    )
    depth = choose_one(_("Layers in each stack"), DEPTHS, "deep", default="6", row=row)
    with shown(_("Drawing weights and taking gradients")):
        gradients = learning.first_gradients(
            run.source.text, run.translation.text, int(depth), rule
        )
    with answer:
        say(_finding(gradients))
    show_figure(gradients_figure(gradients, state.current_theme()), "first gradients")
    with st.expander(_("What am I looking at?")):
        _explain()


def _finding(gradients: FirstGradients) -> str:
    """Say how much longer the last layer's gradient is than the first's, in both stacks."""
    after, before = (
        [_last_over_first(gradients, norms, stack) for stack in STACKS] for norms in PLACES
    )
    return _(
        "Last layer's gradient over the first's (encoder, decoder)? Norm after: "
        "**{after[0]:.2f}, {after[1]:.2f}**. Norm before: **{before[0]:.2f}, {before[1]:.2f}**."
    ).format(after=after, before=before)


def _last_over_first(gradients: FirstGradients, norms: Norms, stack: Stack) -> float:
    first, last = gradients.middle(norms, stack)[[0, -1]]
    return float(last / first)


def _explain() -> None:
    st.latex(
        rf"\text{{{_('after')}:}}\quad x \leftarrow \text{{LayerNorm}}(x + \text{{Sublayer}}(x))"
        rf"\qquad \text{{{_('before')}:}}\quad x \leftarrow x + "
        r"\text{Sublayer}(\text{LayerNorm}(x))"
    )
    st.markdown(
        _(
            "The paper puts each norm after the sum, and so does this model; GPT-2 and most large "
            "models since put it before, with one more norm at the end of a stack. Xiong et al. "
            "(2020) found that with norms after and weights drawn by Xavier's rule, gradients "
            "shrink from the last layers to the first, and that such models need a slow start "
            "(warm-up). Both models here have the same weights, {width} numbers a piece, {heads} "
            "heads, and learn this pair: the sentence and its translation. A point is the "
            "geometric mean of {draws} draws, a bar reaches from the least to the most of them. "
            "This project's rule draws values and feed-forward smaller, so that a layer begins "
            "close to its input (DeepNet, Wang et al., 2022). It is the first step alone: this "
            "does not show which of them learns better in the end."
        ).format(width=learning.SMALL.d_model, heads=learning.SMALL.heads, draws=learning.DRAWS)
    )
