"""Break it: sublayers, residuals, norms, whole layers and ReLU left out; units set to zero."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutReLU, ZeroUnit
from model.sites.sites import STACKS, Stack
from model.transformer.config import ModelConfig
from viz.components.head_board import head_board, pressed
from viz.compute import effects, runs
from viz.effect import alone
from viz.effect.effect import (
    change_in_nats,
    choose_head,
    current_effect,
    foreseen_of,
    show_attention,
    show_likelihoods,
    show_outcome,
)
from viz.effect.experiments import Experiment, offer_experiments
from viz.figures.labels import Number, kind_names
from viz.figures.letters import STAGE
from viz.language.text import _, later
from viz.language.wording import in_a_row
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.lab_blocks import blocks
from viz.pages.lab_blocks.linear import show_as_one
from viz.shell import state
from viz.shell.cover import telling
from viz.shell.finding import say
from viz.shell.header import choose_view, open_page

BOARD = "block board"
PROBABILITIES, ATTENTION = later("probabilities"), later("attention")

Changes = NDArray[np.float64] | None
"""The change of log-probability, in nats, by each of `measured` alone; None until measured."""


def take_press() -> None:
    """Apply a press on the board."""
    if press := pressed(BOARD):
        config = runs.translator().config
        edits.set_interventions(blocks.toggle(edits.interventions(), press, config))


def zero_unit(stack: Stack) -> None:
    """Set the chosen unit to zero."""
    layer, unit = st.session_state["unit layer"], st.session_state["unit number"]
    edits.set_interventions((*edits.interventions(), ZeroUnit(stack, layer - 1, unit - 1)))


def toggle_relu(stack: Stack) -> None:
    """Leave out ReLU in the chosen layer, or put it back."""
    relu = LeaveOutReLU(stack, st.session_state["unit layer"] - 1)
    new = () if relu in edits.interventions() else (relu,)
    edits.replace(LeaveOutReLU, new, stack=stack, layer=relu.layer)


def measured(config: ModelConfig) -> tuple[Intervention, ...]:
    """List the changes to measure: every cell of the board, then every layer."""
    return (*blocks.all_cells(config), *blocks.all_layers(config))


def experiments(
    config: ModelConfig, changes_alone: Changes, least: Intervention | None
) -> list[Experiment]:
    """List the changes worth trying on this sentence; `least` is the layer it misses least."""
    cells = blocks.all_cells(config)
    worst = best = None
    if changes_alone is not None:
        parts = changes_alone[: len(cells)]
        worst = (cells[int(parts.argmin())],)
        best = (cells[int(parts.argmax())],) if parts.max() > 0 else None
    return [
        Experiment(
            _("The part it needs most"),
            worst,
            _("Leaves out the part without which the translation is least likely"),
            foreseen=True,
            part=blocks.part_name(worst[0]) if worst else "",
        ),
        Experiment(
            _("Surer without it"),
            best,
            _("Leaves out the part without which the translation is most likely"),
        ),
        Experiment(
            _("The layer it misses least"),
            None if least is None else (least,),
            _("Skips the layer without which fewest words change, and hardly the log-probability"),
        ),
        Experiment(
            _("No feed-forward at all"),
            blocks.every("ffn", config),
            _("Leaves out the feed-forward of all layers"),
        ),
        *relu_experiments(config),
    ]


def relu_experiments(config: ModelConfig) -> list[Experiment]:
    """Return the experiment without any ReLU; none for a model that has none."""
    if config.variant.activation != "relu":
        return []
    return [
        Experiment(
            _("No ReLU"),
            blocks.every_relu(config),
            _("Leaves out ReLU between the two layers of every feed-forward network"),
        )
    ]


def unit_controls(config: ModelConfig) -> None:
    """Draw the choice of a feed-forward network and its unit, and what is taken from it."""
    row = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
    names: dict[Stack, str] = {stack: kind_names()[stack] for stack in STACKS}
    stack: Stack = choose_one(_("Feed-forward of"), names, "unit stack", row=row, link=False)
    layers, units = config.layers(stack), config.d_ff
    row.number_input(_("Layer"), 1, layers, key="unit layer", width=130)
    if config.variant.activation == "relu":
        row.button(
            _("ReLU out or in"), on_click=toggle_relu, args=(stack,), icon=":material/show_chart:"
        )
    row.number_input(_("Unit"), 1, units, key="unit number", width=150)
    row.button(_("Set to 0"), on_click=zero_unit, args=(stack,), icon=":material/block:")


def say_averages(config: ModelConfig, changes_alone: Changes) -> None:
    """Say how much each kind of part counts, once it is measured; a class sees it below."""
    if st.session_state.get(STAGE):
        return
    asked = _("How much does a part count?")
    if changes_alone is None:
        say(asked)
    else:
        say(
            in_a_row(
                (asked, _averages(blocks.means(changes_alone[: len(blocks.all_cells(config))])))
            )
        )


def board(config: ModelConfig, changes_alone: Changes, lengths: blocks.Numbers) -> DeltaGenerator:
    """Draw the boards and, once measured, their caption; return the place that holds it."""
    count = len(blocks.all_cells(config))
    changes = blocks.by_stack(changes_alone[:count], config) if changes_alone is not None else None
    head_board(
        blocks.boards(edits.interventions(), config, changes, lengths),
        BOARD,
        take_press,
        state.current_theme(),
        change_in_nats(),
    )
    room = alone.room()
    if changes_alone is not None:
        measured_in = _("Numbers and frames are of the unchanged model, bars of the changed one.")
        caption = _caption(blocks.means(changes_alone[:count]))
        room.caption(in_a_row((caption, measured_in if edits.interventions() else "")))
    return room


def _caption(means: list[float]) -> str:
    """Say what the columns and bars are, and how to skip a layer; to a class, the mean changes.

    `means` are in nats, by each of `blocks.PARTS`.
    """
    if st.session_state.get(STAGE):
        return _averages(means)
    return _(
        "FFN: feed-forward; where there is little room: attn, +x, LN. Bar at the foot: how long "
        "the vectors are that a part hands on. "
        "Press a layer's number to skip it. The log-probability is that of the translation, "
        "without that part alone."
    )


def _averages(means: list[float]) -> str:
    sublayer, residual, norm = (_figure(mean) for mean in means)
    return _(
        "Left out alone, in nats on average: a sublayer **{sublayer}**, the residual around it "
        "**{residual}**, the norm after it **{norm}**."
    ).format(sublayer=sublayer, residual=residual, norm=norm)


def _figure(mean: float) -> str:
    """Write a number of nats as briefly as the cells do; a small number keeps its first digit."""
    return f"{Number(mean):.0f}" if abs(mean) >= 9.95 else f"{Number(mean):.1f}"


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep all names of a module alive."""
    run = open_page()
    config, sentence = run.recording.config, state.sentence()
    changes_alone = effects.changes_alone.known(sentence, measured(config))
    effect = current_effect()
    whole_layers = len(blocks.all_cells(config))
    least = effects.least_missed.known(sentence, measured(config), whole_layers)
    offered = experiments(config, changes_alone, least)
    offer_experiments(offered)
    show_outcome(effect, foreseen_of(effect, offered))
    say_averages(config, changes_alone)
    room = board(config, changes_alone, blocks.lengths(effect.forced))
    unit_controls(config)
    show_as_one(effect.forced, effect.forced.interventions)
    view = choose_view((PROBABILITIES, ATTENTION), "blocks")
    with telling("effect"):
        if view == PROBABILITIES:
            show_likelihoods(effect)
        elif effect.changed:
            show_attention(effect, choose_head(effect))
    if least is None:
        doing = _("Leaving out every part alone")
        pieces = len(run.source.ids)
        alone.measure(
            room,
            pieces,
            doing,
            lambda: effects.least_missed(sentence, measured(config), whole_layers),
        )


show_page()
