"""The view of the well-known example: two words, with numbers that can be typed."""

from typing import Literal

import numpy as np
import streamlit as st

from model.translator import Run
from viz.figures.figure import show_figure
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.pages.by_hand.figures import chain_figure
from viz.pages.by_hand.flow import flow
from viz.pages.by_hand.numbers import Chain, chain_of, mixed
from viz.shell import state

WORDS = ("Thinking", "Machines")


def words_panel(run: Run) -> None:
    """Draw boxes for two scores, and their way to the weights; then the same of a real head."""
    with st.container(key="two words"):
        place = st.empty()  # before the boxes, whose numbers it needs
        scores = (
            _typed(_("q₁ · k₁, “Thinking”"), "score 1", (-999.0, 999.0, 112.0, 1.0)),
            _typed(_("q₁ · k₂, “Machines”"), "score 2", (-999.0, 999.0, 96.0, 1.0)),
        )
        d_k = _typed(_("d_k"), "width", (1, 1024, 64, 1))
        values = (
            _typed(_("A number of v₁"), "value 1", (-9.0, 9.0, 1.0, 0.5)),
            _typed(_("The same of v₂"), "value 2", (-9.0, 9.0, -1.0, 0.5)),
        )
        found = chain_of(np.array(scores), int(d_k))
        place.html(flow(found, WORDS, values))
    st.latex(formula(found, int(d_k), values))
    st.caption(
        _(
            "112 and 96, divided by 8, are 14 and 12, and become 0.88 and 0.12: the numbers of "
            "“The Illustrated Transformer”. Below, the same with the sentence's own pieces."
        )
    )
    _real(run)


def _typed(label: str, name: str, limits: tuple[float, float, float, float]) -> float:
    """Draw a box for a number, with its least, most, first value and step, at its own place."""
    shown: Literal["%d", "%g"] = "%d" if isinstance(limits[0], int) else "%g"
    return st.number_input(
        label, *limits, format=shown, key=f"flow {name}", label_visibility="collapsed"
    )


def formula(words: Chain, d_k: int, values: tuple[float, float]) -> str:
    """Write the steps of both numbers in LaTeX."""
    (a, b), (p, q) = words.scores, words.weights
    return (
        rf"z = \text{{softmax}}\!\left(\tfrac{{{a:g}}}{{\sqrt{{{d_k}}}}},\ "
        rf"\tfrac{{{b:g}}}{{\sqrt{{{d_k}}}}}\right) \cdot v"
        rf" = {p:.2f} \cdot ({values[0]:g}) + {q:.2f} \cdot ({values[1]:g})"
        rf" = \mathbf{{{mixed(words, values):.2f}}}"
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
