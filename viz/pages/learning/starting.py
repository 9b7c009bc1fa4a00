"""The topic "first weights": their size, by Xavier's rule and by this project's."""

import numpy as np
import streamlit as st

from model.learning.beginning import RULES, Rule, Sizes, xavier_bound
from model.results import Run
from viz.compute import learning, weights
from viz.compute.learning import FirstWeights
from viz.language.text import _
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.learning.lesson import controls, picture
from viz.pages.learning.starting_figures import drawn_figure, sizes_figure
from viz.shell import state
from viz.shell.heavy import shown

MATRICES = {"q": "self_attn.q", "v": "self_attn.v", "hidden": "ffn.hidden", "out": "ffn.out"}
NAMES = {"q": "W_Q", "v": "W_V", "hidden": "W₁", "out": "W₂"}
TIMES = (2, 4, 8)


def show(run: Run) -> None:
    """Draw the numbers of a fresh matrix with their bound, and the sentence in fresh encoders."""
    row = controls()
    rules: dict[Rule, str] = {rule: _(rule) for rule in RULES}
    rule: Rule = choose_one(_("Weights drawn by the rule"), rules, "drawn by", row=row)
    which = choose_one(_("Matrix of encoder layer 1"), NAMES, "drawn", row=row, quoted=True)
    times = int(
        row.select_slider(
            _("Too small and too large by"), TIMES, 4, key="apart", bind=address.BOUND, width=200
        )
    )
    name = f"encoder.layers.0.{MATRICES[which]}.weight"
    with shown(_("Drawing weights")):
        factors = (1 / times, 1.0, float(times))
        first = learning.first_weights(run.source.text, rule, name, factors)
    trained = weights.parameter(name)
    bound = xavier_bound(first.matrix.shape, first.gain)
    left, right = st.columns(2, gap="medium")
    with left:
        picture(drawn_figure(first.matrix, trained, bound, state.current_theme()), "drawn")
    with right:
        picture(sizes_figure(first.sizes, state.current_theme()), "first sizes")
    _numbers(first, trained, bound)
    _said(first, times)
    with st.expander(_("What am I looking at?")):
        _explain()


def _numbers(first: FirstWeights, trained: np.ndarray, bound: float) -> None:
    """Write the bound, and compare the numbers of the fresh matrix with it."""
    out, into = first.matrix.shape
    gain = rf"{first.gain:.3f} \cdot " if first.gain != 1 else ""
    st.latex(
        rf"{gain}\sqrt{{\frac{{6}}{{{into} + {out}}}}} = {bound:.4f},\qquad "
        rf"\frac{{{bound:.4f}}}{{\sqrt 3}} = {bound / 3**0.5:.4f}"
    )
    st.markdown(
        _(
            "Drawn, the largest of {count:,} numbers is **{most:.4f}** and their standard "
            "deviation **{std:.4f}**; the rule says at most {bound:.4f}, and {expected:.4f}. In "
            "the trained model it is {trained:.4f}."
        ).format(
            count=first.matrix.size,
            most=float(np.abs(first.matrix).max()),
            std=float(first.matrix.std()),
            bound=bound,
            expected=bound / 3**0.5,
            trained=float(trained.std()),
        )
    )


def _said(first: FirstWeights, times: int) -> None:
    """Write the sizes after the last layer, for usual, small and large weights."""
    small, own, large = first.sizes.values()
    st.markdown(
        _(
            "Without norms the vectors end **{own}** times as large as they began; {times} times "
            "larger weights make that **{large}**, {times} times smaller ones **{small}**. With "
            "norms, what the last sublayer adds is {added_own:.2f} of what it is added to, "
            "{added_large:.2f} with large weights and {added_small:.3f} with small ones."
        ).format(
            times=times,
            own=_grown(own),
            large=_grown(large),
            small=_grown(small),
            added_own=own.added[-1],
            added_large=large.added[-1],
            added_small=small.added[-1],
        )
    )


def _grown(sizes: Sizes) -> str:
    """Write the factor by which a vector has grown at the end, without norms."""
    times = float(sizes.stream[-1] / sizes.stream[0])
    if times < 1e6:
        return f"{times:,.0f}" if times >= 100 else f"{times:.2f}"
    digits, power = f"{times:.1e}".split("e")
    return rf"${digits} \cdot 10^{{{int(power)}}}$"


def _explain() -> None:
    st.markdown(
        _(
            "Glorot and Bengio (2010; Xavier is the first name) draw each number of a matrix "
            "evenly between −b and b, with b chosen from its sizes alone, so that a layer of "  # noqa: RUF001
            "plain products neither swells nor shrinks what passes, on average forwards and "
            "backwards. A block is more than such a product: it adds to what came in. Where all "
            "norms are left out, sums pile up; with weights too large they explode, with weights "
            "too small the sublayers add next to nothing. Norms set the size back after each sum, "
            "but not what is in it: with large weights a sublayer outweighs what came in. "
            "This project's rule multiplies b of values, W_O and feed-forward by DeepNet's β, "
            "below 1. All this is of a model of this one's sizes before its first step, on this "
            "sentence; the dotted lines are −b and b."  # noqa: RUF001
        )
    )
    st.latex(
        r"W_{ij} \sim U(-b, b),\qquad b = \sqrt{\frac{6}{n_{in} + n_{out}}},\qquad "
        r"\sigma = \frac{b}{\sqrt 3} = \sqrt{\frac{2}{n_{in} + n_{out}}}"
    )
