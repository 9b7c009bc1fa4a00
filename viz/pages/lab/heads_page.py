"""Break it: heads switched off, one, many or all but one, and how much each matters."""

import streamlit as st

from model.measures.importance import Importance
from viz.compute import effects, runs
from viz.language.text import _
from viz.pages.lab import heads
from viz.pages.lab.effect import current_effect, show_effect, worse_and_better
from viz.pages.lab.head_board import head_board, pressed
from viz.shell import state
from viz.shell.choice import choose_one
from viz.shell.header import open_page
from viz.shell.heavy import heavy

BOARD, MEASURED = "head board", "importance"


def take_press() -> None:
    """Apply a press on the board."""
    if press := pressed(BOARD):
        change = heads.keep_only if st.session_state.get("click") == "only" else heads.toggle
        mode = heads.mode_of(st.session_state.get("off", "zero"))
        config = runs.translator().config
        state.set_interventions(change(state.interventions(), press, mode, config))


def switch_off_least() -> None:
    """Switch off as many of the least important heads as the slider says."""
    found, mode = measured(), heads.mode_of(st.session_state.get("off", "zero"))
    if found:
        off = found.least(st.session_state["least"], mode)
        state.set_interventions((*heads.without_heads(state.interventions()), *off))


def measured() -> Importance | None:
    """Return the importance that this visitor measured for this sentence and mode."""
    known = st.session_state.get(MEASURED, {})
    return known.get((state.sentence(), st.session_state.get("off", "zero")))


def importance_asked() -> None:
    """Draw the choices for switching off and for a click, and measure importance if asked."""
    controls = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
    choose_one(_("What off means"), heads.mode_names(), "off", row=controls, link=False)
    clicks = {"toggle": _("switches off or on"), "only": _("keeps only this")}
    choose_one(_("A click"), clicks, "click", row=controls, link=False)
    asked = controls.button(
        _("Measure importance"),
        icon=":material/bar_chart:",
        help=_("Runs the unchanged model once for every head, with that head alone switched off"),
    )
    if asked:
        sentence, off = state.sentence(), st.session_state["off"]
        with heavy(_("Switching every head off alone")) as progress:
            found = effects.importance(sentence, heads.mode_of(off), progress)
        known = st.session_state.get(MEASURED, {})
        st.session_state[MEASURED] = {**known, (sentence, off): found}


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep the names of the module alive."""
    run = open_page()
    importance_asked()
    importance = measured()
    changes = heads.changes(importance) if importance else None
    head_board(
        heads.boards(state.interventions(), run.recording.config, changes),
        BOARD,
        take_press,
        state.current_theme(),
        legend=_("change of log-probability, nats") if importance else "",
        ends=worse_and_better(),
    )
    if importance:
        mode = heads.mode_of(st.session_state["off"])
        st.session_state["least"] = heads.least_off(state.interventions(), importance, mode)
        st.slider(
            _("Switch off the heads that change the log-probability least, up or down"),
            0,
            sum(falls.size for falls in importance.falls.values()),
            key="least",
            on_change=switch_off_least,
        )
    show_effect(current_effect())


show_page()
