"""The view of heads split and merged: one matrix of numbers, cut into heads, and back."""

import numpy as np
import streamlit as st

from model.results import Run
from model.sites.sites import attention_site
from viz.components.recomputed import recomputed
from viz.figures.figure import show_figure
from viz.language.text import _
from viz.pages.block.heads_figures import split_figure, whole_figure
from viz.pages.block.place import choose_place, tokens_of
from viz.shell import state
from viz.shell.finding import say


def heads_panel(run: Run) -> None:
    """Draw the queries of a self-attention at once and cut into heads."""
    recording = run.recording
    place = choose_place(recording)
    heads = recording[attention_site(place.stack, place.layer, "q")]  # H n Dk
    count, length, width = heads.shape
    tokens, theme = tokens_of(recording, place.stack), state.current_theme()
    merged = heads.transpose(1, 0, 2).reshape(length, count * width)  # n D
    name = f"{place.stack}.layers.{place.layer}.self_attn.q"
    matrix, bias = recording.weights.linear(name)
    x = recording.reads(place.stack, place.layer)[0]
    recomputed(float(np.abs(x @ matrix + bias - merged).max()))
    say(
        _(
            "What is a head? **{part} of the {width} numbers** of each query, key and value, and "
            "each of them is computed from all numbers of the token. Cutting computes nothing."
        ).format(part=width, width=count * width)
    )
    letter = "S" if place.stack == "encoder" else "T"
    shape = f"(B, {letter}, D) = (1, {length}, {count * width})"
    st.markdown(_("**x W_Q + b_Q at once**: {shape}").format(shape=shape))
    show_figure(whole_figure(heads, tokens, place.token, theme), "whole", tools=False)
    split = f"(B, H, {letter}, D/H) = (1, {count}, {length}, {width})"
    st.markdown(_("**Cut into heads**: {shape}").format(shape=split))
    show_figure(split_figure(heads, tokens, place.token, theme), "split", tools=False)
    st.latex(formula(merged[place.token], place.token, count))
    st.code(
        f"q = q.unflatten(-1, ({count}, {width})).transpose(1, 2)"
        f"  # 1 {length} {count * width} -> 1 {count} {length} {width}\n"
        f"z = z.transpose(1, 2).flatten(2)"
        f"  # 1 {count} {length} {width} -> 1 {length} {count * width}",
        language="python",
    )
    st.caption(
        _(
            "The same numbers get other names. A colour is a head, the stronger the larger the "
            "number, up or down. Each head then looks on its own, and before W_O all of them stand "
            "side by side again."
        )
    )


def formula(vector: np.ndarray, token: int, heads: int) -> str:
    """Write the place of the largest number of a vector (D,): its head and its index there."""
    width = len(vector) // heads
    number = int(np.abs(vector).argmax())
    head, inside = divmod(number, width)
    return (
        rf"q[{token + 1},\,{number + 1}] = {vector[number]:.2f} = "
        rf"q^{{({head + 1})}}[{token + 1},\,{inside + 1}],\qquad "
        rf"{number + 1} = {head}\cdot {width} + {inside + 1}"
    )
