"""The explanations of the decoder page, with their formulas."""

import streamlit as st

from viz.compute import models, runs
from viz.language.formula import in_formula
from viz.language.text import _


def explain() -> None:
    """Explain how a decoder writes, and how each strategy chooses pieces and scores them."""
    with st.expander(_("What am I looking at?")):
        _explain_steps()
        _explain_strategies()
        card = runs.card()
        if card and (smoothing := card.settings.get("smoothing")):
            st.markdown(
                _(
                    "The model was trained with label smoothing of {smoothing}: what training "
                    "asked of it was {right:.2f} for the right piece and the rest for all others. "
                    "Where a bar is longer than that, the model is surer than it was asked to be."
                ).format(smoothing=smoothing, right=1 - smoothing)
            )


def _explain_steps() -> None:
    st.markdown(_reads_all_at_once() if transformer() else _reads_in_order())
    st.latex(r"\log p(y \mid x) = \sum_{t=1}^{T} \log p(y_t \mid y_1 \dots y_{t-1}, x)")


def transformer() -> bool:
    """Return True if the model in force is a Transformer."""
    return not models.is_recurrent(models.in_force())


def _reads_all_at_once() -> str:
    return _(
        "The decoder writes one piece at a time. At step t it is given the begin token and the "
        "t - 1 pieces taken so far. The **newest position** is the query: its self-attention "
        "looks at its own past, as far as the look-ahead mask lets it, and its cross-attention "
        "looks at the source. From its output come the probabilities of the next piece, "
        "and the translation's probability is the product of those of its pieces:"
    )


def _reads_in_order() -> str:
    return _(
        "The decoder writes one piece at a time. At step t it reads the piece taken last, and its "
        "state changes: all that it knows of the pieces before is in that state, and no mask is "
        "needed. The new state is the **query** of its attention, if it has one, which looks at "
        "the encoder's states. From both come the probabilities of the next piece, and the "
        "translation's probability is the product of those of its pieces:"
    )


def _explain_strategies() -> None:
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
        r"\qquad p_i \propto \exp\left(\frac{\text{logit}_i}{"
        + in_formula(_("temperature"))
        + r"}\right)"
    )
    st.markdown(
        _(
            "Log-probabilities are in nats; the nearer to 0, the likelier. Attention shows where "
            "the decoder looked, not why it decided."
        )
    )
