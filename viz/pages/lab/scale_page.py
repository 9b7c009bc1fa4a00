"""What if: scores that are not scaled, positions that are not where they were."""

import streamlit as st

from viz.pages.lab.effect import current_effect, show_effect
from viz.shared.text import _
from viz.shared.weights import sharpness
from viz.shell import scale, state
from viz.shell.header import open_page
from viz.shell.scale import STACKS, Stack

FIRST_NUMBERS = {"shuffled": 1, "shifted": 5}
run = open_page(
    _("What if: scale and positions"),
    _("Take away the division by √dₖ, or the order of the words, and watch what is left."),
)
config = run.recording.config


def take_unscaled() -> None:
    """Leave the division out where it was asked for."""
    chosen = st.session_state["raw scores"]
    state.set_interventions(scale.set_unscaled(state.interventions(), chosen))


def take_positions(stack: Stack) -> None:
    """Do to the positions of a stack what was chosen."""
    choice = st.session_state[f"positions {stack}"]
    number = FIRST_NUMBERS.get(choice, 0)
    if choice == scale.positions_of(state.interventions(), stack).choice:
        number = int(st.session_state.get(f"positions number {stack}", number))
    wanted = scale.Positions(choice, number)
    state.set_interventions(scale.set_positions(state.interventions(), stack, wanted))


def position_controls(stack: Stack, label: str) -> None:
    """Draw the choice of what happens to the positions of a stack."""
    now = scale.positions_of(state.interventions(), stack)
    names = dict(
        zip(
            scale.CHOICES,
            (_("as trained"), _("zeroed"), _("shuffled"), _("shifted")),
            strict=True,
        )
    )
    st.session_state[f"positions {stack}"] = now.choice
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    row.segmented_control(
        label,
        list(names),
        format_func=names.__getitem__,
        key=f"positions {stack}",
        on_change=take_positions,
        args=(stack,),
    )
    if now.choice in ("shuffled", "shifted"):
        st.session_state[f"positions number {stack}"] = now.number
        row.number_input(
            _("order drawn with seed") if now.choice == "shuffled" else _("by how many positions"),
            0 if now.choice == "shuffled" else -config.max_length,
            10_000 if now.choice == "shuffled" else config.max_length,
            key=f"positions number {stack}",
            on_change=take_positions,
            args=(stack,),
            width=200,
        )


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
        position_controls(stack, labels[stack])
effect = current_effect()
show_effect(effect)
st.markdown(_("**How sharp attention is on average, over all heads and queries**"))
show_sharpness()
