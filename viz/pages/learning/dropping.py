"""The topic "dropout": of the decoder's input, and of attention weights."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.results import Run
from viz.compute import learning, runs, weights
from viz.figures.labels import head_text
from viz.figures.theme import QUERY
from viz.language.text import _, later
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.learning import formulas
from viz.pages.learning.lesson import choose, controls, per_cent, picture
from viz.pages.learning.rate_figures import draws_figure
from viz.pages.learning.rows import number, table
from viz.shell import state
from viz.shell.token_choice import choose_token

INPUT, WEIGHTS = later("input of the decoder"), later("attention weights")


def show(run: Run) -> None:
    """Draw the choice of what is dropped, and a row without dropout and in two draws."""
    row = controls()
    where = choose_one(_("Dropout of"), [INPUT, WEIGHTS], "dropped", row=row)
    if where == WEIGHTS:
        show_attention_dropout(run, row)
    else:
        show_input_dropout(run, row)


def show_attention_dropout(run: Run, row: DeltaGenerator) -> None:
    """Draw the weights of a query in an encoder head, without dropout and in two draws."""
    rate, seeds = choose_draw(row)
    head = state.shown_head(runs.translator().config)
    layer, number_ = (head.layer, head.head) if head.kind == "encoder" else (0, 0)
    query = choose_token(_("query"), run.source.tokens, "encoder", "dropped row", QUERY)
    drawn = learning.attention_draws(run.source.text, (layer, number_, query), rate, seeds)
    names = [_("without dropout"), _("first draw"), _("second draw")]
    figure = draws_figure(drawn.weights, names, state.current_theme(), run.source.tokens)
    picture(figure, "dropped weights")
    sums = " · ".join(f"{total:.2f}" for total in drawn.weights.sum(axis=1))
    moved = float(np.abs(drawn.z[1:] - drawn.z[0]).max())
    st.caption(
        _(
            "Weights of head {head} after dropout; holes were dropped, the others are divided by "
            "{kept:.2f}. So the rows no longer add up to 1: {sums}. The head's output z moves by "
            "{moved:.2f} at most. In translation dropout is off."
        ).format(head=head_text("encoder", layer, number_), kept=1 - rate, sums=sums, moved=moved)
    )
    st.latex(formulas.dropout(rate))


def choose_draw(row: DeltaGenerator) -> tuple[float, tuple[int, int]]:
    """Draw the choice of the rate and the button for new draws; return the rate and two seeds."""
    rate = row.slider(_("Dropout"), 0.0, 0.5, 0.1, 0.05, key="drop", bind=address.BOUND, width=110)
    pressed = int(st.session_state.get("draws", 0))
    if row.button(_("Draw again"), icon=":material/casino:"):
        pressed += 1
        st.session_state["draws"] = pressed
    return rate, (2 * pressed, 2 * pressed + 1)


def show_input_dropout(run: Run, row: DeltaGenerator) -> None:
    """Draw the decoder's input at one row, without dropout and in two draws."""
    lesson = choose(run, row, 200)
    example = learning.example(lesson.sentence, lesson.target, 0.1, True)
    count, chosen = len(example.input_ids), 0
    if count > 1:
        chosen = (
            row.slider(_("Row"), 1, count, min(9, count), key="row", bind=address.BOUND, width=110)
            - 1
        )
    rate, seeds = choose_draw(row)
    drawn = learning.draws(lesson.sentence, lesson.target, chosen, rate, seeds)
    names = [_("without dropout"), _("first draw"), _("second draw")]
    picture(draws_figure(drawn.inputs, names, state.current_theme()), "dropout")
    st.html(odds_table(drawn.probabilities, names, example.target_ids[chosen]))
    st.caption(
        _(
            "What enters the decoder at row {row}; holes were dropped: {holes} of {width} values. "
            "Below it, the probabilities of the next piece; the right one comes first. "
            "Dropout also falls on attention weights, on the feed-forward units and after every "
            "sublayer, drawn anew each time."
        ).format(
            row=chosen + 1,
            width=drawn.inputs.shape[1],
            holes=_("{first} and {second}").format(
                first=int((drawn.inputs[1] == 0).sum()), second=int((drawn.inputs[2] == 0).sum())
            ),
        )
    )
    st.latex(formulas.dropout(rate))


def odds_table(probabilities: np.ndarray, names: list[str], wanted: int) -> str:
    """Return a table, as HTML, of the right piece and the most probable other pieces in every draw.

    The first row of `probabilities` (n, V) is without dropout; it decides which three others.
    """
    tokens = weights.vocabulary("output").tokens
    best = [int(id_) for id_ in np.argsort(probabilities[0])[::-1][:4]]
    ids = list(dict.fromkeys([wanted, *best]))[:4]
    lines = [
        ("", [name, *(number(per_cent(float(row[id_]))) for id_ in ids)])
        for name, row in zip(names, probabilities, strict=True)
    ]
    heads = ["", *(tokens[id_].replace("\u2581", "·") for id_ in ids)]
    return table(heads, lines)
