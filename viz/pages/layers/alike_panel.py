"""The view "layers compared": all shapes are the same, but how alike are the numbers."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.results import Run
from model.sites.sites import STACKS, Stack
from viz.compute import weights
from viz.figures.cosines import cosines
from viz.figures.figure import show_figure
from viz.figures.labels import Number, kind_names
from viz.language.text import _, capital
from viz.link.choice import choose_one
from viz.pages.layers.alike_figure import alike_figure
from viz.shell import state
from viz.shell.finding import say

HARDLY, ALIKE = 0.1, 0.5
"""Vectors with a cosine below the first are not alike, from the second on they are."""

PARTS = {
    "self_attn.q": "W_Q",
    "self_attn.k": "W_K",
    "self_attn.v": "W_V",
    "self_attn.out": "W_O",
    "ffn.hidden": "W₁",
    "ffn.out": "W₂",
    "norm1": "γ",  # noqa: RUF001
}


def alike(run: Run) -> None:
    """Draw the cosines between the layers' weights of one name, in both stacks."""
    st.markdown(
        _(
            "Every layer has matrices of the same shapes. Each cell is the cosine of two layers' "
            "weights: 1 the same, 0 nothing in common."
        )
    )
    answer = st.container()
    part = choose_one(_("Weights"), PARTS, "weights of", quoted=True)
    config = run.recording.config
    rows: dict[Stack, NDArray[np.float32]] = {
        stack: weights.of_layers(stack, config.layers(stack), part) for stack in STACKS
    }
    cosines_of: dict[Stack, NDArray[np.floating]] = {
        stack: cosines(values) for stack, values in rows.items()
    }
    others = [values[~np.eye(len(values), dtype=np.bool_)] for values in cosines_of.values()]
    if (different := np.concatenate(others)).size:
        with answer:
            say(_finding(part, different, rows["encoder"].shape[1]))
    show_figure(alike_figure(cosines_of, state.current_theme()), "layers alike", tools=False)
    st.markdown(said(part, rows, cosines_of))


def _finding(part: str, different: NDArray[np.floating], count: int) -> str:
    """Say how alike two layers of a stack are at most, and what chance would give."""
    largest = different[np.abs(different).argmax()]
    return _(
        "Are the numbers of {part} alike in two layers? **{answer}**: their cosine furthest from 0 "
        "is **{largest:.3f}**; random weights would have about ±{chance:.3f}."
    ).format(
        part=PARTS[part],
        answer=_answer(abs(float(largest))),
        largest=Number(largest),
        chance=count**-0.5,
    )


def _answer(cosine: float) -> str:
    """Say how alike two vectors with this cosine, 0 to 1, are."""
    if cosine < HARDLY:
        return _("No")
    return _("A little") if cosine < ALIKE else _("Yes")


def said(
    part: str, rows: dict[Stack, NDArray[np.float32]], cosines_of: dict[Stack, NDArray[np.floating]]
) -> str:
    """Say how alike the layers are, compared with random weights."""
    shape = " × ".join(map(str, weights.parameter(f"encoder.layers.0.{part}.weight").shape))
    lines = [
        _(
            "**{part}**: {encoder} layers in the encoder and {decoder} in the decoder, {shape} "
            "numbers in each of them."
        ).format(
            part=PARTS[part],
            encoder=len(rows["encoder"]),
            decoder=len(rows["decoder"]),
            shape=shape,
        )
    ]
    for stack, values in cosines_of.items():
        others = values[~np.eye(len(values), dtype=np.bool_)]
        if not len(others):
            continue
        lines.append(
            _(
                "{stack}: two different layers have {low:.3f} to {high:.3f}, {mean:.3f} on average."
            ).format(
                stack=capital(kind_names()[stack]),
                low=Number(others.min()),
                high=Number(others.max()),
                mean=Number(others.mean()),
            )
        )
    lines.append(
        _(
            "This compares number by number: layers that do the same with their heads or units in "
            "another order would show 0, too. The gains γ of the norms all begin at 1."  # noqa: RUF001
        )
    )
    return "  \n".join(lines)
