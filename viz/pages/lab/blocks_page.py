"""Break it: sublayers, residuals, norms and whole layers left out, and single units set to zero."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.interventions.blocks import ZeroUnit
from model.recording.sites import STACKS, Stack, layers_of
from model.transformer.config import ModelConfig
from viz.compute import effects, models, runs
from viz.figures.labels import kind_names
from viz.language.text import _, later
from viz.pages.lab import blocks
from viz.pages.lab.effect import (
    choose_head,
    current_effect,
    show_attention,
    show_likelihoods,
    show_translations,
    worse_and_better,
)
from viz.pages.lab.head_board import head_board, pressed
from viz.shell import state
from viz.shell.choice import choose_one
from viz.shell.cover import telling
from viz.shell.header import choose_view, open_page
from viz.shell.heavy import heavy

BOARD, MEASURED = "block board", "importance of blocks"
PROBABILITIES, ATTENTION = later("probabilities"), later("attention")


def take_press() -> None:
    """Apply a press on the board."""
    if press := pressed(BOARD):
        config = runs.translator().config
        state.set_interventions(blocks.toggle(state.interventions(), press, config))


def zero_unit(stack: Stack) -> None:
    """Set the unit that was named to zero."""
    layer, unit = st.session_state["unit layer"], st.session_state["unit number"]
    state.set_interventions((*state.interventions(), ZeroUnit(stack, layer - 1, unit - 1)))


def measure(place: tuple[str, str], config: ModelConfig) -> None:
    """Measure every cell of the board, with the bar of its progress."""
    with heavy(_("Leaving out every part alone")) as progress:
        found = effects.changes_alone(place[1], blocks.all_cells(config), progress)
    known = st.session_state.get(MEASURED, {})
    st.session_state[MEASURED] = {**known, place: blocks.by_stack(found, config)}


def unit_controls(row: DeltaGenerator, config: ModelConfig) -> None:
    """Draw the choice of a feed-forward unit."""
    names: dict[Stack, str] = {stack: kind_names()[stack] for stack in STACKS}
    stack: Stack = choose_one(
        _("One feed-forward unit of"), names, "unit stack", row=row, link=False
    )
    layers, units = layers_of(stack, config), config.d_ff
    row.number_input(_("Layer"), 1, layers, key="unit layer", width=130)
    row.number_input(_("Unit"), 1, units, key="unit number", width=150)
    row.button(_("Set to 0"), on_click=zero_unit, args=(stack,), icon=":material/block:")


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep the names of the module alive."""
    run = open_page()
    config, place = run.recording.config, (models.in_force(), state.sentence())
    controls = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
    asked = controls.button(
        _("Measure every part"),
        icon=":material/bar_chart:",
        help=_("Runs the unchanged model once for every cell, with that part alone left out"),
    )
    unit_controls(controls, config)
    if asked:
        measure(place, config)
    measured: blocks.Changes | None = st.session_state.get(MEASURED, {}).get(place)
    head_board(
        blocks.boards(state.interventions(), config, measured),
        BOARD,
        take_press,
        state.current_theme(),
        legend=_("change of log-probability, nats") if measured else "",
        ends=worse_and_better(),
    )
    st.caption(
        _(
            "A row is a layer: press its number to skip it. attn, cross and ffn are the sublayers, "
            "+x is the residual around one, LN the norm after it, its gain and bias too."
        )
    )
    effect = current_effect()
    show_translations(effect)
    view = choose_view((PROBABILITIES, ATTENTION), "blocks")
    with telling("effect"):
        if view == PROBABILITIES:
            show_likelihoods(effect)
        elif effect.changed:
            show_attention(effect, choose_head(effect))


show_page()
