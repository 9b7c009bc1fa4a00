"""Break it: scores without their scale, changed positions, one matrix for queries and keys."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.interventions.heads import AblateHead
from model.interventions.masks import LiftMask
from model.interventions.positions import ScalePositions, ShufflePositions
from model.interventions.scale import ScaleScores, Unscale
from model.sites.sites import KINDS, STACKS, Head, Kind
from model.transformer.config import ModelConfig
from viz.compute.effects import Effect
from viz.effect.effect import (
    Foreseen,
    choose_head,
    current_effect,
    foreseen_of,
    show_attention,
    show_likelihoods,
    show_outcome,
)
from viz.effect.experiments import Experiment, offer_experiments
from viz.effect.moved import most_moved
from viz.figures.labels import kind_names
from viz.figures.letters import STAGE
from viz.figures.weights import sharpness
from viz.language.text import _, _n, later
from viz.language.wording import in_a_row, listed
from viz.link import edits
from viz.pages.lab_scale.positions import position_controls
from viz.pages.lab_scale.positions_panel import show_side_by_side
from viz.pages.lab_scale.scores import MOST_TIMES, score_controls
from viz.pages.lab_scale.two_pictures import pairs_of_bars, two_pictures
from viz.pages.lab_scale.tying_panel import tying_panel
from viz.shell import state
from viz.shell.cover import telling
from viz.shell.header import choose_view, open_page

BEFORE_AFTER, POSITIONS = later("before and after"), later("positions side by side")
ONE_MATRIX = later("one matrix for queries and keys")


def show_sharpness(effect: Effect, titles: tuple[str, str]) -> None:
    """Draw how sharp attention is, as bars; for a changed model, before and after (`titles`)."""
    mean: list[tuple[str, float, float]] = []
    entropies: list[str] = []
    for kind, name in kind_names().items():
        old, before = sharpness(effect.before.recording.attention(kind))
        new, after = sharpness(effect.forced.attention(kind))
        mean.append((name, before, after))
        entropies.append(
            f"{name} {old:.2f} → **{new:.2f}**" if effect.changed else f"{name} {old:.2f}"
        )
    pairs_of_bars(mean, titles if effect.changed else None)
    exactly = _("Bars: the largest weight of a row, on average.")
    if not st.session_state.get(STAGE):
        entropy = _("Entropy of a row, nats: {list}").format(list=listed(entropies))
        exactly = in_a_row((exactly, entropy))
    if count := len(edits.of_kind(edits.interventions(), AblateHead)):
        exactly = in_a_row(
            (
                exactly,
                _n(
                    "It counts {count} head that is off, too: what it looks at reaches nothing.",
                    "It counts {count} heads that are off, too: what they look at reaches nothing.",
                    count,
                ).format(count=count),
            )
        )
    st.caption(exactly)


def show_both(effect: Effect, foreseen: Foreseen | None, view: Head) -> None:
    """Draw a head before and after a change, made or foreseen, beside how sharp attention is."""
    shown = foreseen.effect if foreseen else effect
    room = st.container()
    titles = (_("Now"), _("If pressed")) if foreseen else (_("Before"), _("After"))
    if shown.changed:
        left, room = st.columns([3, 2], gap="medium", vertical_alignment="center")
        place = view.layer, view.head
        with left:
            two_pictures(
                shown.before.recording.attention(view.kind)[place],
                shown.forced.attention(view.kind)[place],
                shown.before.recording.tokens(view.kind),
                titles,
                state.head_name(view),
                state.current_theme().sequential,
                writes=view.kind != "encoder",
            )
    with room:
        st.markdown(_("**How sharply heads look**"))
        show_sharpness(shown, titles)


def experiments(config: ModelConfig) -> list[Experiment]:
    """List the changes worth trying in a model of these sizes."""
    return [
        Experiment(
            _("No order at all"),
            tuple(ScalePositions(stack, 0.0) for stack in STACKS),
            _("Adds no positions to the pieces, on either side"),
        ),
        Experiment(
            _("The words shuffled"),
            (ShufflePositions("encoder", 1),),
            _("Gives the pieces of the source each other's positions"),
        ),
        Experiment(
            _("Never divided"),
            tuple(Unscale(kind) for kind in config.kinds),
            _("Leaves out the division by √dₖ in all heads"),
        ),
        Experiment(
            _("All keys alike"),
            tuple(ScaleScores(kind, 0.0) for kind in config.kinds),
            _("Multiplies all scores by 0: every key gets the same weight"),
            foreseen=True,
        ),
        Experiment(
            _("Four times as sharp"),
            tuple(ScaleScores(kind, MOST_TIMES) for kind in config.kinds),
            _(
                "Multiplies all scores by {times:.0f}: in each softmax the strongest keys gain"
            ).format(times=MOST_TIMES),
        ),
    ]


def head_at_first(effect: Effect) -> tuple[Head | None, str]:
    """Return the head to show of a change, made or foreseen, and why; None if no head moved.

    It is the head on which the sentence opens if that moved, by its share, at least half as much as
    the one that moved most: the picture then stays where it was.
    """
    shares: dict[Kind, NDArray[np.float32]] = {kind: effect.moved(kind) for kind in KINDS}
    moved = most_moved(shares)
    if not moved:
        return None, ""
    opening = state.shown_head(effect.before.recording.made_by)
    if 2 * shares[opening.kind][opening.layer, opening.head] >= moved[0][0]:
        return opening, _("the sentence opens on it")
    return moved[0][1], _("it moves most")


def show_before_and_after(config: ModelConfig) -> None:
    """Draw the controls of scores and positions, and their effect on translation and heads."""
    effect = current_effect()
    offered = experiments(config)
    offer_experiments(offered)
    foreseen = foreseen_of(effect, offered)
    show_outcome(effect, foreseen)
    sharp, heads = telling("sharpness"), telling("heads")
    score_controls(config)
    position_controls(config)
    below = telling("moved")
    with heads:
        first, why = head_at_first(foreseen.effect if foreseen else effect)
        view = choose_head(effect, None, st.container(), first, why, below)
    with sharp:
        show_both(effect, foreseen, view)
    changes = set(edits.interventions())
    if set(offered[0].changes or ()) <= changes and LiftMask("decoder") not in changes:
        st.caption(_("One order is left: the decoder's mask hides what comes later."))
    with telling("effect"):
        show_likelihoods(effect)
        show_attention(effect, view)


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep all names of a module alive."""
    run = open_page()
    view = choose_view([BEFORE_AFTER, POSITIONS, ONE_MATRIX], "break")
    if view == POSITIONS:
        with telling("positions"):
            show_side_by_side(run)
    elif view == ONE_MATRIX:
        tying_panel(run)
    else:
        show_before_and_after(run.recording.config)


show_page()
