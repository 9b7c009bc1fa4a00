"""The views of uses of the encoding: comparing positions, shifting them, adding them to pieces."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.results import Run
from viz.compute import models, runs
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.table import show_table
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import in_a_row
from viz.link import address
from viz.link.choice import choose_number
from viz.pages.positions import formulas
from viz.pages.positions.combine import combine, combine_figure, sizes
from viz.pages.positions.products import products_figure, products_from
from viz.pages.positions.settings import settings
from viz.pages.positions.shift import shift_figure
from viz.pages.positions.table import (
    corner,
    residuals,
    shift_map,
    sinusoids,
)
from viz.pages.positions.together import MOST, PLACES, At, by_width, distinct
from viz.shell import state
from viz.shell.finding import say
from viz.shell.folded import opened

BLOCK = 16
"""The number of dimensions that are drawn of the matrix."""


def show_products(run: Run) -> None:
    """Draw how alike a position is to the positions around it."""
    chosen = settings(run)
    position = st.slider(
        _("Position p"),
        0,
        chosen.length - 1,
        min(8, chosen.length - 1),
        key="p",
        bind=address.BOUND,
        width=320,
    )
    say(how_alike(chosen.table(), position))
    figure = products_figure(
        chosen.table(), position, chosen.base, chosen.length - 1, state.current_theme()
    )
    show_figure(figure, "products-picture")
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The dot product of two encodings says how alike they are. Move p: the dots stay "
                "on the same curve, as it depends on the distance k alone and not on p. It is "
                "symmetric, so it tells how far, not in which direction; W_Q and W_K can add that."
            )
        )
        st.latex(formulas.product(chosen.width, chosen.base, 3))


def how_alike(table: NDArray[np.float64], position: int) -> str:
    """Say how alike a position is to itself, to the next position, and to the table's farthest."""
    distances, products = products_from(table, position)
    far = int(np.abs(distances).argmax())
    near = position + 1 if position + 1 < len(table) else max(position - 1, 0)
    sentence = _(
        "How alike are two positions? The dot product with itself is **{own:.1f}**, one apart "
        "**{near:.1f}**, {apart} apart **{far:.1f}**."
    ).format(
        own=Number(products[position]),
        near=Number(products[near]),
        apart=int(abs(distances[far])),
        far=Number(products[far]),
    )
    if not products[position] > products[near] > products[far]:
        return sentence
    apart = np.abs(distances)
    falls = np.diff([products[apart == one].mean() for one in np.unique(apart)]) < 0
    if falls.all():
        return in_a_row((sentence, _("Near ones are more alike.")))
    return sentence + (" " + _("Near ones are mostly more alike.") if falls.mean() > 0.5 else "")


def show_shift(run: Run) -> None:
    """Draw the matrix that moves every position on by k, and its error."""
    chosen = settings(run)
    by = choose_number(_("Shift k"), range(-32, 33), "k", 3)
    matrix = shift_map(by, chosen.width, chosen.base, chosen.layout)
    table = sinusoids(np.arange(chosen.length + abs(by)), chosen.width, chosen.base, chosen.layout)
    positions, residual = residuals(table, matrix, by)
    unmoved = residuals(table, np.eye(chosen.width), by)[1]
    say(
        _(
            "Can one matrix move every position on by {by}? This one moves all {count}, to within "
            "**{worst:.0e}**."
        ).format(
            by=f"{Number(by):.0f}", count=len(positions), worst=Number(residual.max(initial=0))
        )
    )
    dimensions = corner(chosen.width, chosen.layout, BLOCK)
    corner_of = matrix[np.ix_(dimensions, dimensions)]
    show_figure(
        shift_figure(corner_of, dimensions, positions, residual, unmoved, state.current_theme()),
        "shift-picture",
    )
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Moving on by k turns each pair of dimensions by its own angle, whatever p is. So "
                "there is one matrix M, the same for every p, with M PE(p) = PE(p + k): a linear "
                "layer such as W_Q can learn to look k pieces back. The left picture shows "
                "its first {count} dimensions; everything else off the blocks is 0."
            ).format(count=len(dimensions))
        )
        st.latex(formulas.rotation(by, chosen.width, chosen.base, chosen.width // 8))


def show_combination(run: Run) -> None:
    """Draw the pieces of this sentence with positions added, and with positions concatenated."""
    recording = run.recording
    if recording.config.positions == "rotary":
        st.info(
            _("This model adds nothing to its embeddings: its positions turn queries and keys.")
        )
        return
    if recording.config.positions == "joined":
        st.info(
            _("This model joins its positions to its embeddings: each has features of its own.")
        )
        return
    if not recording["encoder.positions"].any():
        st.info(_("A change of the model leaves no positions: nothing is added to the pieces."))
        return
    combined = combine(recording["encoder.embedding"], recording["encoder.positions"])
    added, joined = sizes(recording.config.d_model, recording.config.d_model)
    say(
        _(
            "Why add, and not join? Joined, W_Q, W_K and W_V have **{more:.1f} times** as many "
            "weights; added, an embedding and a position have a cosine of **{cross:.2f}** on "
            "average, whatever its sign."
        ).format(more=joined.weights / added.weights, cross=combined.cross)
    )
    show_figure(
        combine_figure(combined, recording.source_tokens, state.current_theme()),
        "combination-picture",
    )
    st.markdown(
        _(
            "| positions | width | weights of W_Q, W_K, W_V in layer 1 |\n|---|---:|---:|\n"
            "| **added** | {added.width} | {added.weights:,} |\n"
            "| **concatenated** | {joined.width} | {joined.weights:,} |"
        ).format(added=added, joined=joined)
    )
    st.markdown(_of_twins())
    angle = _("The cosine between an embedding and a position is {cross:.3f} in size, on average.")
    alike = _("Over all pairs of pieces the two pictures have a correlation of {correlation:.3f}.")
    defined = np.isfinite(combined.correlation)
    words = in_a_row((alike, angle)) if defined else angle
    st.caption(words.format(correlation=Number(combined.correlation), cross=combined.cross))
    if recording.config.positions == "sinusoid":
        _together(run)
    _explain_combination(run, combined.cross)


def _of_twins() -> str:
    """Compare the small twins whose positions are added and joined; "" where one is missing."""
    names = [models.twin(models.in_force(), what) for what in ("thousand", "joined")]
    cards = [card for name in names if name and (card := runs.card_of(name))]
    if len(cards) < 2:
        return ""
    added, joined = cards
    return _(
        "Two small models of {steps:,} steps differ in this alone: with added positions one has "
        "**{added:.1f}** BLEU on the test set, with joined ones the other has **{joined:.1f}**. "
        "They are equally wide: of the joined one's features a quarter is for positions, so its "
        "embedding has {fewer:,} weights fewer. One run each: a small difference may be chance."
    ).format(
        steps=joined.steps_in_all,
        added=added.bleu("test"),
        joined=joined.bleu("test"),
        fewer=added.parameters - joined.parameters,
    )


def _together(run: Run) -> None:
    """Draw the table of sums that nearly coincide, folded; nothing for a single piece."""
    recording = run.recording
    rows = distinct(recording.source_tokens)[:MOST]
    title = _("Which pieces at which places come to lie together?")
    if len(rows) < 2 or not (box := opened(title, "together", ":material/join_inner:")):
        return
    embeddings = recording["encoder.embedding"][rows]
    widths = by_width(embeddings, recording.config.variant.layout)
    names = [token_text(recording.source_tokens[row]) for row in rows]

    def named(at: At) -> str:
        return _("{piece} at {place}").format(piece=names[at[0]], place=at[1])

    box.markdown(
        _(
            "Added, one piece at one place could look like another piece at another place. Of all "
            "sums of these {count} pieces and {places} places, the two nearest of different pieces "
            "are **{narrow:.1%}** of the mean distance apart with the first {least} numbers of an "
            "embedding, **{wide:.1%}** with all {most}. Places count from 0."
        ).format(
            count=len(rows),
            places=PLACES,
            narrow=widths[0].distance,
            wide=widths[-1].distance,
            least=widths[0].width,
            most=widths[-1].width,
        )
    )
    with box:
        show_table(
            {
                _("width"): [one.width for one in widths],
                _("one of the two nearest sums"): [named(one.first) for one in widths],
                _("the other"): [named(one.second) for one in widths],
                _("distance, of the mean"): [f"{one.distance:.1%}" for one in widths],
            }
        )


def _explain_combination(run: Run, cross: float) -> None:
    recording = run.recording
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "How alike are the sentence's {count} pieces, as they enter the first layer? Left, "
                "when the position is **added** to the embedding, as this model does; right, when "
                "the two are **concatenated** instead. A matrix applied to a concatenation is two "
                "matrices, one for each part; adding makes them share one:"
            ).format(count=len(recording.source_tokens))
        )
        st.latex(formulas.concatenation())
        st.markdown(
            _(
                "So adding costs nothing in width, and takes away the freedom to treat the two "
                "apart. How much that costs shows in the cross terms: the nearer embeddings and "
                "positions are to right angles, the smaller. The average size of their "
                "cosine here is {cross:.2f}; of random directions in {width} dimensions it "
                "is {chance:.2f}."
            ).format(
                width=recording.config.d_model,
                cross=cross,
                chance=np.sqrt(2 / (np.pi * recording.config.d_model)),
            )
        )
        st.latex(formulas.similarity())
