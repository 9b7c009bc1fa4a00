"""The view of the well-known example: two words, with numbers that can be typed."""

import numpy as np
import streamlit as st

from model.translator import Run
from viz.figures.figure import show_figure
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.pages.by_hand.figures import chain_figure
from viz.pages.by_hand.numbers import Chain, chain_of, mixed
from viz.shell import state

WORDS = ("Thinking", "Machines")


def words_panel(run: Run) -> None:
    """Draw boxes for two scores, and their way to the weights; then the same of a real head."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    first = row.number_input(_("q₁ · k₁, “Thinking”"), -999.0, 999.0, 112.0, 1.0, width=180)
    second = row.number_input(_("q₁ · k₂, “Machines”"), -999.0, 999.0, 96.0, 1.0, width=180)
    d_k = row.number_input(_("d_k"), 1, 1024, 64, width=140)
    values = (
        row.number_input(_("A number of v₁"), -9.0, 9.0, 1.0, 0.5, width=160),
        row.number_input(_("The same of v₂"), -9.0, 9.0, -1.0, 0.5, width=160),
    )
    found = chain_of(np.array([first, second]), int(d_k))
    show_figure(chain_figure(found, WORDS, state.current_theme()), "two words", tools=False)
    for line in formulas(found, int(d_k), values):
        st.latex(line)
    st.caption(
        _(
            "112 and 96, divided by 8, are 14 and 12, and become 0.88 and 0.12: the numbers of "
            "“The Illustrated Transformer”. Below, the same with the sentence's own pieces."
        )
    )
    _real(run)


def formulas(words: Chain, d_k: int, values: tuple[float, float]) -> tuple[str, ...]:
    """Write the steps of both numbers in LaTeX."""
    (a, b), (c, d), (p, q) = words.scores, words.divided, words.weights
    return (
        rf"\frac{{{a:g}}}{{\sqrt{{{d_k}}}}} = {c:.4g},\quad \frac{{{b:g}}}{{\sqrt{{{d_k}}}}} = "
        rf"{d:.4g}",
        rf"\text{{softmax}}({c:.4g},\ {d:.4g}) = ({p:.2f},\ {q:.2f})",
        rf"z = {p:.2f} \cdot ({values[0]:g}) + {q:.2f} \cdot ({values[1]:g})"
        rf" = \mathbf{{{mixed(words, values):.2f}}}",
    )


def _real(run: Run) -> None:
    """Draw the same chain for one query of a head of the model."""
    st.subheader(_("The same with every piece of the sentence"), anchor=False)
    recording = run.recording
    view = state.attention_controls(recording)
    queries, keys = recording.tokens(view.kind)
    query = queries.index("▁it") if "▁it" in queries else len(queries) // 2
    q = recording.part(view.kind, view.layer, "q")[view.head, query].astype(np.float64)  # Dk
    k = recording.part(view.kind, view.layer, "k")[view.head].astype(np.float64)  # S Dk
    seen = np.flatnonzero(recording.reads(view.kind, view.layer)[2][query])
    shown = chain_of(k[seen] @ q, len(q))
    st.markdown(
        _("{head}, query: {token}").format(
            head=state.head_name(view), token=escaped(token_text(queries[query]))
        )
    )
    figure = chain_figure(shown, [keys[at] for at in seen], state.current_theme())
    show_figure(figure, "real pieces", tools=False)
