"""The view of the model made smaller: the cost of fewer bits and of fewer weights."""

import streamlit as st

from model.measures.smaller import Measured
from viz.figures.figure import show_figure
from viz.figures.table import show_table
from viz.language.text import _
from viz.pages.about.smaller_figure import amount, smaller_figure
from viz.shell import state


def show_smaller(measured: Measured) -> None:
    """Draw both curves, and a table of all figures."""
    st.markdown(
        _(
            "The same weights with fewer bits, or without the smallest of them, and nothing "
            "trained afterwards: the dotted line is the whole model on the same {count} sentences."
        ).format(count=measured.sentences)
    )
    show_figure(smaller_figure(measured.rows, state.current_theme()), "smaller", wide=True)
    show_table(
        {
            _("what"): [_what(row.method, amount(row)) for row in measured.rows],
            _("size, MB"): [f"{row.size / 1e6:.1f}" for row in measured.rows],
            "BLEU": [f"{row.bleu:.1f}" for row in measured.rows],
            "chrF": [f"{row.chrf:.1f}" for row in measured.rows],
            _("attention moved"): [f"{row.moved:.1%}" for row in measured.rows],
        },
    )
    st.caption(_("Measured once by `{command}`.").format(command=measured.command))
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "**Quantised**: every row of a matrix has a scale of its own, and its numbers are "
                "rounded to 2ᵇ \u2212 1 steps between minus and plus its largest. The size is b "
                "bits a number and 4 bytes a row. **Pruned**: the smallest numbers of all "
                "matrices together are 0; the size is 4 bytes for each that is left and a bit for "
                "each that says whether it is. Attention is compared on {looked} sentences, given "
                "the whole model's translations: half the sum of what changed in a row, as a mean "
                "over all heads and queries. One seed, one model, few sentences: a difference of "
                "a point of BLEU says nothing."
            ).format(looked=min(measured.sentences, 20))
        )
        st.latex(r"\hat w = s\,\mathrm{round}(w / s),\qquad s = \frac{\max_j |w_j|}{2^{b-1} - 1}")


def _what(method: str, how_much: str) -> str:
    words = {
        "whole": _("whole, 32 bits"),
        "quantised": _("quantised to {amount}"),
        "pruned": _("{amount} pruned"),
    }
    return words[method].format(amount=how_much)
