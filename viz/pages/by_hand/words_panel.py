"""The view of the well-known example: two words, with numbers that can be typed."""

from typing import Literal

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.results import Run
from viz.compute import openings
from viz.figures.figure import show_figure
from viz.figures.labels import written_by
from viz.figures.theme import bare
from viz.language.text import _
from viz.language.wording import escaped
from viz.link import address
from viz.pages.by_hand.figures import chain_figure
from viz.pages.by_hand.flow import flow, percent, real
from viz.pages.by_hand.numbers import Chain, chain_of
from viz.shell import state
from viz.shell.finding import say

WORDS = ("Thinking", "Machines")


def words_panel(run: Run) -> None:
    """Draw boxes for two scores, and their way to the weights; then the same for a real head."""
    picture = st.container()
    with st.container(key="two words"):
        boxes = st.container(horizontal=True, gap="small", key="two scores")
        scores = (
            _typed(boxes, _("q · k₁, “Thinking”"), "score_1", (-999.0, 999.0, 112.0, 1.0)),
            _typed(boxes, _("q · k₂, “Machines”"), "score_2", (-999.0, 999.0, 96.0, 1.0)),
        )
        d_k = int(_typed(boxes, _("d_k"), "width", (1, 1024, 64, 1)))
        values = (
            _typed(boxes, _("value v₁"), "value_1", (-9.0, 9.0, 1.0, 0.5)),
            _typed(boxes, _("value v₂"), "value_2", (-9.0, 9.0, -1.0, 0.5)),
        )
        words = chain_of(np.array(scores), d_k)
        boxes.caption(
            _("112 and 96 are the scores in “The Illustrated Transformer” by Jay Alammar."),
            width=250,
        )
        st.html(flow(words, d_k, WORDS, values))
        model = st.empty()  # drawn once its head is chosen, below
    with picture:
        say(finding(words, d_k, WORDS))
    st.latex(formula(words, d_k, values))
    _real(run, model)


def finding(words: Chain, d_k: int, tokens: tuple[str, str]) -> str:
    """Say how much weight the less-attended word keeps, with and without the division."""
    lighter = int(words.divided[1] <= words.divided[0])
    return _(
        "Divided by √{d_k}, “{word}” keeps **{some}** of the weight; not divided, **{little}**."
    ).format(
        d_k=d_k,
        word=tokens[lighter],
        some=percent(words.weights[lighter]),
        little=percent(words.undivided[lighter]),
    )


def _typed(
    column: DeltaGenerator, label: str, key: str, limits: tuple[float, float, float, float]
) -> float:
    """Draw a box for a number in a `column`; `limits` are least, most, first value and step."""
    shown: Literal["%d", "%g"] = "%d" if isinstance(limits[0], int) else "%g"
    return column.number_input(label, *limits, format=shown, key=key, bind=address.BOUND, width=125)


def formula(words: Chain, d_k: int, values: tuple[float, float]) -> str:
    """Write the steps of both numbers in LaTeX, with and without the division."""
    a, b = words.scores
    divided, raw = words.weights @ np.array(values), words.undivided @ np.array(values)
    return (
        rf"\text{{softmax}}\!\left(\tfrac{{{a:g}}}{{\sqrt{{{d_k}}}}},\ "
        rf"\tfrac{{{b:g}}}{{\sqrt{{{d_k}}}}}\right) \cdot v = \mathbf{{{divided:.2f}}}"
        rf"\qquad \text{{softmax}}({a:g},\ {b:g}) \cdot v = \mathbf{{{raw:.2f}}}"
    )


def _real(run: Run, slot: DeltaGenerator) -> None:
    """Draw the same for one query of a head of the model, and its two largest keys in a `slot`."""
    st.subheader(_("The same with every piece of the sentence"), anchor=False)
    recording = run.recording
    mixing = next(iter(openings.mixing(state.sentence())), None)
    view = state.attention_controls(recording, mixing.place if mixing else None)
    queries, keys = recording.tokens(view.kind)
    if mixing and view == mixing.place and mixing.query < len(queries):
        query = mixing.query
    else:
        query = queries.index("▁it") if "▁it" in queries else len(queries) // 2
    q = recording.part(view.kind, view.layer, "q")[view.head, query].astype(np.float64)  # Dk
    k = recording.part(view.kind, view.layer, "k")[view.head].astype(np.float64)  # S Dk
    seen = np.flatnonzero(recording.reads(view.kind, view.layer)[2][query])
    scores = k[seen] @ q
    if view.kind == "encoder":
        where, token = _("{head}, query: {token}"), queries[query]
    else:  # as on all pages, a query of the decoder is named by what it writes
        where, token = _("{head}, query that writes {token}"), written_by(queries, query)
    where = where.format(head=state.head_name(view), token=_word(token))
    if len(seen) > 1:
        largest = np.argsort(-scores, kind="stable")[:2]
        first, second = (_word(keys[seen[at]]) for at in largest)
        slot.html(real(chain_of(scores[largest], len(q)), len(q), (first, second), where))
    st.markdown(escaped(where))
    figure = chain_figure(
        chain_of(scores, len(q)), [keys[at] for at in seen], state.current_theme()
    )
    show_figure(figure, "real pieces", tools=False)


def _word(piece: str) -> str:
    return bare(piece)
