"""Break it: masks lifted, padding seen, words hidden, links forbidden by hand."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.interventions.masks import HideSource, LiftMask
from model.measures.importance import Importance
from model.results import Run
from model.sites.sites import Head
from viz.compute import cheating, effects, runs
from viz.compute.effects import Effect
from viz.effect import alone
from viz.effect.effect import (
    Foreseen,
    choose_head,
    current_effect,
    foreseen_of,
    show_attention,
    show_likelihoods,
    show_outcome,
)
from viz.effect.experiments import offer_experiments
from viz.figures.letters import STAGE
from viz.language.text import _, later
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.lab_masks import masks
from viz.pages.lab_masks.cheating_panel import cheating_panel
from viz.pages.lab_masks.experiments import experiments
from viz.pages.lab_masks.mask_board import Links, drawn, mask_board
from viz.pages.lab_masks.names import show_names
from viz.pages.lab_masks.panels import (
    BOARD,
    change,
    mask_controls,
    mask_findings,
    show_refusal,
)
from viz.pages.lab_masks.window_panel import window_panel
from viz.shell import state
from viz.shell.cover import telling
from viz.shell.header import choose_view, open_page
from viz.shell.lessons.card import lesson_shown

WINDOW, CHEAT = later("a window"), later("trained to cheat")
VIEWS = (later("this model"), WINDOW)

KEY, TURN, WHERE = "mask board", "mask board turn", "mask board where"


def take_stroke() -> None:
    """Forbid or allow the drawn links, unless a query would be left without any key."""
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
    if stroke := drawn(KEY):
        view, scope = st.session_state[WHERE]
        state.show_head(view)  # the picture under the hand must not change with the link
        change(masks.draw(edits.interventions(), stroke, view, scope), BOARD)


def most_concerned(effect: Effect, foreseen: bool = False) -> tuple[Head | None, str]:
    """Return the head that the change of a mask affects most, and why; None for other changes.

    Outside a lesson, it may be the cross-attention head that looked most at what is now hidden, or
    would be by a change that is only `foreseen`; else it is the decoder's head that looks ahead
    most without its mask.
    """
    hidden = None if lesson_shown() else masks.hidden_now(effect, "cross")
    if hidden is not None:
        share = (effect.before.recording.attention("cross") * hidden).sum(axis=-1).mean(axis=-1)
        layer, head = np.unravel_index(share.argmax(), share.shape)
        why = (
            _("it looks most at what that press would mask")
            if foreseen
            else _("it looks most at the masked words")
        )
        return Head("cross", int(layer), int(head)), why
    if LiftMask("decoder") not in effect.forced.interventions:
        return None, ""
    share = effects.on_future(effect.forced)
    layer, head = np.unravel_index(share.argmax(), share.shape)
    return Head("decoder", int(layer), int(head)), _("it looks ahead most")


def hidden_links(board: Links) -> str:
    """Say how many links the masks hide from a head; "" if they hide none."""
    hidden = board.masked & ~board.forbidden
    if not hidden.any():
        return ""
    told = _("Hatched: **{count} of {all} links** are hidden")
    return told.format(count=int(hidden.sum()), all=hidden.size)


def links(
    run: Run, effect: Effect, worth: Importance | None, foreseen: Foreseen | None
) -> DeltaGenerator:
    """Draw the links of a head, beside the switches of the masks and the choice of the head.

    On stage the outcome also stands beside them, so that all links are in view. Returns the place
    that shows the progress of measuring.
    """
    line = None
    shares = [13, 7] if lesson_shown() else [3, 2]
    left, right = st.container(key="mask parts").columns(shares, gap="medium")
    with right:
        if st.session_state.get(STAGE):
            show_outcome(effect, foreseen)
            line = st.container()
        else:
            mask_controls(run)
        hatched = st.container(key="hatched")
    first, why = most_concerned(foreseen.effect if foreseen else effect, foreseen is not None)
    with right, telling("heads"):
        boards = st.container()
        scopes = {
            "head": _("this head"),
            "layer": _("all heads of the layer"),
            "all": _("all layers"),
        }
        scope = choose_one(_("The next click forbids in"), scopes, "scope", link=False)
        below = st.container()
        with boards:
            view = choose_head(effect, worth, line, first, why, below)
        st.session_state[WHERE] = view, scope
        room = alone.room()
    with left, telling("links"):
        st.container(key="board lead").markdown(
            _(
                "**{head}.** Click or drag cells: the query of that row can no longer look at that "
                "key."
            ).format(head=state.head_name(view))
        )
        board = masks.links_of(run.recording, view, edits.in_force(run.left_out))
        mask_board(
            board,
            state.head_name(view),
            KEY,
            st.session_state.get(TURN, 0),
            take_stroke,
            state.current_theme(),
        )
        show_refusal(BOARD)
    if told := hidden_links(board):
        hatched.markdown(told)
    if line:
        mask_controls(run)
    with telling("change"):
        show_attention(effect, view)
    return room


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep all names of a module alive."""
    run = open_page()
    cheat = cheating.name()
    view = choose_view((*VIEWS, CHEAT) if cheat else VIEWS, "masks")
    if cheat and view == CHEAT:
        cheating_panel(run, cheat)
    elif view == WINDOW:
        window_panel(run)
    else:
        show_masks(run)


def show_masks(run: Run) -> None:
    """Draw the view of the model in force: its masks, and what a change of them does."""
    sentence = state.sentence()
    words = tuple(HideSource(*word.span) for word in masks.words(run.source.tokens))
    changes_alone = effects.changes_alone.known(sentence, words)
    worth = effects.importance.known(sentence, "zero")
    effect = current_effect()
    least = effects.least_missed.known(sentence, words)
    offered = experiments(run, words, changes_alone, least, runs.translator().max_tokens)
    offer_experiments(offered)
    foreseen = foreseen_of(effect, offered)
    if not st.session_state.get(STAGE):
        show_outcome(effect, foreseen)
    room = links(run, effect, worth, foreseen)
    with telling("effect"):
        mask_findings(effect)
        show_likelihoods(effect)
    show_names()
    if changes_alone is None or worth is None or (words and least is None):

        def work() -> None:
            effects.changes_alone(sentence, words)
            if words:
                effects.least_missed(sentence, words)
            effects.importance(sentence, "zero")

        doing = _("Hiding every word alone, and switching off every head")
        alone.measure(room, len(run.source.ids), doing, work)


show_page()
