"""The memory of the hidden state: gates over the sentence, and how alike its states are."""

import numpy as np
import streamlit as st

from model.recurrent.config import LONG
from model.results import Run
from viz.compute import ancestors
from viz.figures.cosines import cosines
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.language.text import _, later
from viz.link.choice import choose_one
from viz.pages.recurrent.controls import choose_kind
from viz.pages.recurrent.figures import alike_figure, gates_figure
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.finding import say


def memory(run: Run) -> None:
    """Draw the gates and states of one direction of the encoder, or of the decoder."""
    row = st.container(horizontal=True, gap="medium")
    kind = choose_kind(_("Model"), "kept", row=row)
    part = choose_one(
        _("States of"), [later("forward"), later("backward"), later("decoder")], "part", row=row
    )
    recording = ancestors.looked(kind, run.source.text).recording
    half = recording["encoder.memory"].shape[1] // 2
    columns = {"forward": slice(half), "backward": slice(half, None)}.get(part, slice(None))
    stack = "decoder" if part == "decoder" else "encoder"
    tokens = recording.target_tokens if stack == "decoder" else recording.source_tokens
    states = recording["decoder.states" if stack == "decoder" else "encoder.memory"][:, columns]
    if recording.made_by.kind in LONG:
        gates = {
            "forget_gate": _("forget f: 1 keeps the cell"),
            "input_gate": _("input i: 0 writes nothing into it"),
            "output_gate": _("output o: 0 shows nothing of it"),
        }
    else:
        gates = {
            "update": _("update z: 1 keeps the last state"),
            "reset": _("reset r: 0 forgets it"),
        }
    gate_values = {name: recording[f"{stack}.{gate}"][:, columns] for gate, name in gates.items()}
    theme = state.current_theme()
    keeps = next(iter(gate_values.values()))
    say(finding(keeps, part == "backward"))
    show_figure(gates_figure(gate_values, tokens, theme), "gates picture")
    st.caption(_kept(keeps, recording.made_by.kind in LONG))
    st.subheader(_("How alike the states are"), anchor=False)
    alike = cosines(states)
    show_below(alike_figure(alike, tokens, theme), "alike picture")
    near = float(np.diagonal(alike, 1).mean()) if len(alike) > 1 else 1.0
    st.caption(
        _(
            "Cosine of every state with every other. Neighbours: {near:.2f} on average; first and "
            "last: {far:.2f}."
        ).format(near=Number(near), far=Number(alike[0, -1]))
    )


def _through(keeps: np.ndarray, backward: bool) -> np.ndarray:
    """Multiply the gates `keeps` (n, R) from the first piece that is read to the last: (R,)."""
    return (keeps[:-1] if backward else keeps[1:]).prod(axis=0)


def finding(keeps: np.ndarray, backward: bool) -> str:
    """Say how many numbers are kept through the sentence, which may be read backward."""
    sentence = (
        _(
            "What is kept from the last piece to the first? **{long} of {count}** numbers keep "
            "more than a tenth of what they held."
        )
        if backward
        else _(
            "What is kept from the first piece to the last? **{long} of {count}** numbers keep "
            "more than a tenth of what they held."
        )
    )
    through = _through(keeps, backward)
    return sentence.format(long=int((through > 0.1).sum()), count=len(through))


def _kept(keeps: np.ndarray, long: bool) -> str:
    """Say what a step keeps, by an LSTM's forget gates (`long`) or a GRU's update gates."""
    sentence = (
        _(
            "A step keeps {mean:.0f}% of the cell on average, and what is kept through the "
            "sentence is the product of the forget gates on the way. Only where f is near 1 does a "
            "gradient reach back through many steps."
        )
        if long
        else _(
            "A step keeps {mean:.0f}% of a state on average, and what is kept through the sentence "
            "is the product of the update gates on the way."
        )
    )
    return sentence.format(mean=100 * float(keeps.mean()))
