"""The view of why scores are divided by √d_k: random vectors, and then a real head."""

from functools import cache

import numpy as np
import streamlit as st

from model.interventions.scale import Unscale
from model.results import Run
from viz.figures.figure import show_figure
from viz.figures.table import show_table
from viz.figures.weights import softmax
from viz.language.formula import in_formula
from viz.language.text import _
from viz.language.wording import in_a_row
from viz.link import address
from viz.pages.by_hand.figures import scale_figure
from viz.pages.by_hand.numbers import (
    WIDTHS,
    Spread,
    jacobian_norms,
    random_scores,
    share_above,
    spread,
)
from viz.shell import state
from viz.shell.finding import say

LITTLE = 0.7
"""Below this share the gradient has clearly shrunk."""


@cache
def curves() -> tuple[tuple[Spread, ...], tuple[Spread, ...]]:
    """Return the results of the experiment at all widths, with and without the division."""
    scores = {width: random_scores(width) for width in WIDTHS}
    divided = tuple(spread(of_width / np.sqrt(width)) for width, of_width in scores.items())
    return divided, tuple(spread(of_width) for of_width in scores.values())


def scale_panel(run: Run) -> None:
    """Draw the experiment, and the effect of the division on one head of this model."""
    d_k = int(
        st.select_slider(_("Width of a head, d_k"), WIDTHS, 32, key="d_k", bind=address.BOUND)
    )
    divided, raw = curves()
    at = WIDTHS.index(d_k)
    headline = st.container()
    show_figure(scale_figure(divided, raw, d_k, state.current_theme()), "scale", tools=False)
    st.latex(
        rf"q_i, k_i \sim \mathcal N(0, 1):\qquad \text{{Var}}(q \cdot k) = d_k = {d_k}"
        + _measured(f"{raw[at].variance:.1f}")
    )
    st.latex(
        r"\text{Var}\!\left(\tfrac{q \cdot k}{\sqrt{d_k}}\right) = 1"
        + _measured(f"{divided[at].variance:.2f}")
    )
    st.latex(r"\frac{\partial p}{\partial s} = \text{diag}(p) - p\,p^\top")
    st.markdown(
        _("mean size: {divided} with the division, {raw} without").format(
            divided=f"{divided[at].jacobian:.3f}", raw=f"{raw[at].jacobian:.3f}"
        ),
        text_alignment="center",
    )
    st.markdown(
        _(
            "The softmax normalises either way: the weights sum to 1 with and without the divisor. "
            "What shrinks without it, the more the wider the head, is the **gradient**: where one "
            "weight is nearly 1, the Jacobian is nearly 0, and the scores, with W_Q and W_K behind "
            "them, learn nothing. Over all rows, {share:.0%} of it is left at this width."
        ).format(share=raw[at].jacobian / divided[at].jacobian)
    )
    st.subheader(_("The same on a head of this model"), anchor=False)
    head, left = _real_head(run)
    with headline:
        say(finding(d_k, raw[at].jacobian / divided[at].jacobian, head, left))


def finding(width: int, share: float, head: str, left: float) -> str:
    """Say what is left of the softmax's gradient undivided, of random heads and a trained one."""
    random = (
        _(
            "Why divide by √d_k? Without it the softmax of random queries and keys nearly picks "
            "one key: **{share:.0%}** of its gradient is left at d_k = {width}."
        )
        if share < LITTLE
        else _(
            "Why divide by √d_k? With random queries and keys as narrow as d_k = {width} it "
            "matters little: **{share:.0%}** of the softmax's gradient is left without it."
        )
    )
    trained = _("In {head}, which is trained, **{left:.0%}** is left.")
    return in_a_row((random.format(share=share, width=width), trained.format(head=head, left=left)))


def _real_head(run: Run) -> tuple[str, float]:
    """Write a table of a head's rows with and without the divisor.

    Returns its name, and the share of the Jacobian that is left without the divisor.
    """
    recording = run.recording
    view = state.attention_controls(recording)
    q = recording.part(view.kind, view.layer, "q")[view.head].astype(np.float64)
    k = recording.part(view.kind, view.layer, "k")[view.head].astype(np.float64)
    allowed = recording.reads(view.kind, view.layer)[2]
    products = np.where(allowed, q @ k.T, -np.inf)
    weights = [softmax(products / np.sqrt(q.shape[1])), softmax(products)]
    sizes = [float(jacobian_norms(rows).mean()) for rows in weights]
    names = [_("divided by √d_k"), _("not divided")]
    show_table(
        {
            _("scores"): names,
            _("rows with a weight above 0.99"): [f"{share_above(rows):.0%}" for rows in weights],
            _("largest weight, mean"): [f"{rows.max(axis=1).mean():.2f}" for rows in weights],
            _("size of the Jacobian, mean"): [f"{size:.3f}" for size in sizes],
        },
    )
    if Unscale(view.kind) in recording.interventions:
        st.caption(_("In the model as you changed it, these scores are not divided."))
    st.caption(
        _(
            "{head}. It was trained with the divisor; a model trained without it would have other "
            "weights. “Break it: scale and positions” leaves it out of the whole model."
        ).format(head=state.head_name(view))
    )
    return state.head_name(view), sizes[1] / sizes[0] if sizes[0] else 1.0


def _measured(value: str) -> str:
    return r"\ " + in_formula(_("(measured: {value})").format(value=value))
