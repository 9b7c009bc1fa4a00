"""Break it: heads switched off (one, many or all but one), and how much each matters."""

from dataclasses import replace

import streamlit as st

from model.interventions.heads import AblateHead, Mode
from model.measures.importance import Importance
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
    without_figures,
)
from viz.effect.experiments import offer_experiments
from viz.language.text import _
from viz.language.wording import in_a_row
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.lab_heads import heads
from viz.pages.lab_heads.experiments import experiments
from viz.shell import state
from viz.shell.cover import telling
from viz.shell.header import open_page

BOARD = "head board"


def take_press() -> None:
    """Apply a press on the board."""
    if press := pressed(BOARD):
        change = heads.keep_only if st.session_state.get("click") == "only" else heads.toggle
        config = runs.translator().config
        edits.set_interventions(change(edits.interventions(), press, mode_now(), config))


def mode_now() -> Mode:
    """Return the chosen way to switch a head off, at first the way of a head that is off."""
    off = edits.of_kind(edits.interventions(), AblateHead)
    return heads.mode_of(st.session_state.get("off", off[0].mode if off else "zero"))


def take_mode() -> None:
    """Give the heads that are already off the chosen way."""
    edits.set_interventions(heads.in_mode(edits.interventions(), mode_now()))


def switch_off_least() -> None:
    """Switch off as many of the least important heads as the slider says."""
    if importance := effects.importance.known(state.sentence(), mode_now()):
        edits.replace(AblateHead, importance.least(st.session_state["least"], mode_now()))


def choices() -> None:
    """Draw the choices of what "off" means and of what a click does."""
    row = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
    choose_one(
        _("What off means"),
        heads.mode_names(),
        "off",
        default=mode_now(),
        row=row,
        link=False,
        on_change=take_mode,
    )
    clicks = {"toggle": _("switches off or on"), "only": _("keeps only this")}
    choose_one(_("A click"), clicks, "click", row=row, link=False)


def least_important(importance: Importance) -> None:
    """Draw the slider that switches off more and more of the least important heads."""
    st.session_state["least"] = heads.least_off(edits.interventions(), importance, mode_now())
    st.slider(
        heads.least_title(),
        0,
        sum(falls.size for falls in importance.falls.values()),
        key="least",
        on_change=switch_off_least,
    )


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep all names of a module alive."""
    run = open_page()
    sentence, mode = state.sentence(), mode_now()
    importance = effects.importance.known(sentence, mode)
    effect = current_effect()
    offered = experiments(importance, runs.translator().config, mode)
    offer_experiments(offered)
    show_outcome(effect, foreseen_of(effect, offered))
    head_board(
        heads.boards(
            edits.interventions(),
            run.recording.config,
            heads.changes(importance) if importance else None,
            state.miniatures_of(effect.forced),
        ),
        BOARD,
        take_press,
        state.current_theme(),
        replace(change_in_nats(), simple=without_figures()),
    )
    room = alone.room()
    if importance:
        room.caption(
            in_a_row(
                (
                    _(
                        "Each picture shows what a head looks at: a row for each query, a column "
                        "for each key."
                    ),
                    _(
                        "The frame shows how the translation's log-probability changes without "
                        "that head alone."
                    ),
                    _("The frame is of the unchanged model, the picture of the changed one.")
                    if effect.changed
                    else "",
                )
            )
        )
    choices()
    if importance:
        least_important(importance)
    with telling("effect"):
        show_likelihoods(effect)
        if effect.changed:
            show_attention(effect, choose_head(effect))
    if not importance:
        doing = _("Switching every head off alone")
        alone.measure(room, len(run.source.ids), doing, lambda: effects.importance(sentence, mode))


show_page()
