"""The example everybody quotes: two words, with numbers that can be typed."""

import math

import streamlit as st

from viz.compute.runs import Run
from viz.pages.toy.figures import chain_figure
from viz.pages.toy.numbers import Masked, TwoWords, masked_rows, two_words
from viz.shared.figure import show_figure
from viz.shared.text import _
from viz.shell import state

WORDS = ("Thinking", "Machines")
MINUS = "\N{MINUS SIGN}"


def words_panel(run: Run) -> None:  # noqa: ARG001
    """Let two scores be typed, and follow them to the weights."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    first = row.number_input(_("q₁ · k₁, “Thinking”"), -999.0, 999.0, 112.0, 1.0, width=180)
    second = row.number_input(_("q₁ · k₂, “Machines”"), -999.0, 999.0, 96.0, 1.0, width=180)
    d_k = row.number_input(_("d_k"), 1, 1024, 64, width=140)
    values = (
        row.number_input(_("a number of v₁"), -9.0, 9.0, 1.0, 0.5, width=160),
        row.number_input(_("the same of v₂"), -9.0, 9.0, -1.0, 0.5, width=160),
    )
    found = two_words((first, second), int(d_k), values)
    show_figure(chain_figure(found, WORDS, state.current_theme()), "two words", tools=False)
    for line in formulas(found, int(d_k), values):
        st.latex(line)
    st.caption(
        _(
            "112 and 96, divided by 8, are 14 and 12, and become 0.88 and 0.12: the numbers of "
            "“The Illustrated Transformer”. “One head, step by step” does the same with all "
            "pieces of the sentence above and the model's own numbers."
        )
    )
    _masks((float(found.divided[0]), float(found.divided[1])))


def formulas(words: TwoWords, d_k: int, values: tuple[float, float]) -> tuple[str, ...]:
    """Write the way of both numbers in LaTeX."""
    (a, b), (c, d), (p, q) = words.scores, words.divided, words.weights
    return (
        rf"\frac{{{a:g}}}{{\sqrt{{{d_k}}}}} = {c:.4g},\quad \frac{{{b:g}}}{{\sqrt{{{d_k}}}}} = "
        rf"{d:.4g},\qquad \text{{softmax}}({c:.4g},\ {d:.4g}) = ({p:.2f},\ {q:.2f})",
        rf"z = {p:.2f} \cdot ({values[0]:g}) + {q:.2f} \cdot ({values[1]:g})"
        rf" = \mathbf{{{words.mixed:.2f}}}",
    )


def _masks(divided: tuple[float, float]) -> None:
    """Set minus infinity beside -1e9 in a mask, in two precisions."""
    st.subheader(_("What a mask adds: minus infinity or minus a thousand million"), anchor=False)
    rows = masked_rows(divided)
    st.dataframe(
        {
            _("added"): [row.mask.replace("-", MINUS) for row in rows],
            _("precision"): [row.precision for row in rows],
            _("“Machines” masked"): [_weights(row.one) for row in rows],
            _("both masked"): [_weights(row.all) for row in rows],
        },
        hide_index=True,
    )
    st.markdown(_words(rows))


def _weights(weights: tuple[float, ...]) -> str:
    return ", ".join("NaN" if math.isnan(one) else f"{one:.2f}" for one in weights)


def _words(rows: list[Masked]) -> str:
    """Say what the table shows; it is computed, not quoted."""
    nan = [row for row in rows if any(math.isnan(one) for one in row.all)]
    named = ", ".join(f"{row.mask.replace('-', MINUS)} ({row.precision})" for row in nan)
    return _(
        "With one key masked, all agree. With all keys masked there is nothing to share out: "
        "{nan} give NaN, not a number, which then spreads through the whole model; float16 ends at "
        "65,504, so {big} is minus infinity there. In float32 {big} makes an even row of it, which "
        "looks harmless and is wrong. This model uses minus infinity, and refuses interventions "
        "that leave a row empty."
    ).format(nan=named, big=f"{MINUS}1e9")
