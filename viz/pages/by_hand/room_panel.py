"""The view of room for directions: random vectors of many numbers are nearly at right angles."""

import numpy as np
import streamlit as st

from model.results import Run
from viz.compute import weights
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.language.formula import in_formula
from viz.language.text import _
from viz.link import address
from viz.pages.by_hand.figures import cosine_figure
from viz.pages.by_hand.numbers import WIDTHS, Floats, pair_cosines, random_cosines
from viz.shell import state


def room_panel(run: Run) -> None:
    """Draw the cosines of random pairs, and of this model's pieces."""
    width = run.recording.config.d_model
    row = st.container(horizontal=True, gap="medium")
    with row.container(width=420):
        d = int(st.select_slider(_("Dimensions d"), WIDTHS[1:], 64, key="d", bind=address.BOUND))
    chance, start = random_cosines(d), random_cosines(width)
    learned = pair_cosines(weights.vocabulary().embedding)
    histograms = {
        _("random vectors of d = {d}").format(d=d): chance,
        _("this model's embeddings, d = {d}").format(d=width): learned,
        _("random vectors of the same d = {d}").format(d=width): start,
    }
    show_figure(cosine_figure(histograms, state.current_theme()), "room", tools=False)
    st.latex(_spread(d, float(chance.std()), width, float(learned.std())))
    embedding = weights.vocabulary().embedding
    centred = pair_cosines(embedding - embedding.mean(axis=0))
    st.markdown(
        _(
            "The more dimensions, the closer two random directions come to a right angle: there is "
            "room for many more nearly independent directions than there are dimensions. Pairs of "
            "this model's pieces have a mean cosine of {mean}, and {beyond} of them lie beyond "
            "three times the chance spread. All pieces share the direction of their mean: with "
            "that mean taken away, {own} are left, against {random} of random vectors: these "
            "have something to do with each other."
        ).format(
            mean=f"{Number(learned.mean()):.2f}",
            beyond=f"{_beyond_chance(learned, width):.1%}",
            own=f"{_beyond_chance(centred, width):.1%}",
            random=f"{_beyond_chance(start, width):.1%}",
        )
    )
    st.caption(
        _(
            "3,000 random pairs each. This project's trainer does not start embeddings at random, "
            "but from vectors counted from which pieces stand near each other in the sentence "
            "pairs (model/training/data/vectors.py); most others start at random. The nearest "
            "neighbours of a piece are on “Words to vectors”."
        )
    )


def _beyond_chance(cosines: Floats, width: int) -> float:
    """Return the share of cosines further from 0 than three times the spread 1 / √width."""
    return float((np.abs(cosines) > 3 * width**-0.5).mean())


def _spread(d: int, measured: float, width: int, learned: float) -> str:
    """Write the spread of cosines, by chance and measured, for d and for the model's `width`."""
    of_model = _("{chance} by chance, {learned} in the model")
    return (
        r"\begin{gathered}\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\,\lVert b \rVert},\qquad "
        rf"{in_formula(_('spread'))} \approx \frac{{1}}{{\sqrt d}} = {d**-0.5:.3f}\ "
        + in_formula(_("(measured: {value})").format(value=f"{measured:.3f}"))
        + rf"\\ d = {width}:\ "
        + in_formula(of_model.format(chance=f"{width**-0.5:.3f}", learned=f"{learned:.3f}"))
        + r"\end{gathered}"
    )
