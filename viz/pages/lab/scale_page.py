"""Break it: scores that are not scaled, positions that are not where they were."""

import streamlit as st

from model.recording.sites import STACKS
from viz.pages.lab.effect import current_effect, show_effect
from viz.shared.text import _
from viz.shared.weights import sharpness
from viz.shell import scale, state
from viz.shell.header import open_page
from viz.shell.positions import Choice, position_control

CHOICES: tuple[Choice, ...] = ("trained", "zeroed", "shuffled", "shifted")

run = open_page(
    _("Break it: scale and positions"),
    _("Take away the division by √dₖ, or the order of the words, and watch what is left."),
)
config = run.recording.config


def take_unscaled() -> None:
    """Leave out the division where that was asked for."""
    chosen = st.session_state["raw scores"]
    state.set_interventions(scale.set_unscaled(state.interventions(), chosen))


def show_sharpness() -> None:
    """State how sharp attention is, before and after."""
    lines = [
        _("| attention | entropy of a row, nats | largest weight of a row |"),
        "|---|---|---|",
    ]
    for kind, name in state.kind_names().items():
        before = sharpness(effect.before.recording.attention(kind))
        after = sharpness(effect.forced.attention(kind))
        lines.append(
            f"| {name} | {before[0]:.2f} → **{after[0]:.2f}** "
            f"| {before[1]:.0%} → **{after[1]:.0%}** |"
        )
    st.markdown("\n".join(lines))


st.session_state["raw scores"] = [str(kind) for kind in scale.unscaled(state.interventions())]
columns = st.columns([2, 3])
with columns[0]:
    st.pills(
        _("Scores without 1/√dₖ (√{d_k} = {root:.2f})").format(
            d_k=config.d_k, root=config.d_k**0.5
        ),
        list(state.kind_names()),
        format_func=lambda kind: state.kind_names()[kind],
        selection_mode="multi",
        key="raw scores",
        on_change=take_unscaled,
    )
with columns[1]:
    labels = {"encoder": _("Positions of the source"), "decoder": _("Positions of the target")}
    for stack in STACKS:
        position_control(stack, labels[stack], CHOICES, config)
effect = current_effect()
show_effect(effect)
st.markdown(_("**How sharp attention is on average, over all heads and queries**"))
show_sharpness()
