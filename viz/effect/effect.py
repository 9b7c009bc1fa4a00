"""The effect of the interventions on translations, probabilities and attention."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from model.interventions.base import Intervention
from model.interventions.heads import MODES, AblateHead
from model.measures.importance import Importance
from model.sites.sites import KINDS, Head, Kind
from model.words import words_of
from viz.components.head_board import Values
from viz.components.head_picker import Shares
from viz.compute import effects, runs
from viz.compute.effects import Effect
from viz.effect import outcome
from viz.effect.difference import UNSEEN, difference_heatmap, is_seen
from viz.effect.experiments import Experiment
from viz.effect.likelihood import likelihood_chart
from viz.effect.moved import most_moved, offer_heads
from viz.effect.outcome import Decision, Likely, Outcome, deciding_place, lead
from viz.figures.letters import STAGE
from viz.figures.theme import bare
from viz.language.text import _
from viz.link import edits, focus
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.lessons.card import lesson_shown


@dataclass(frozen=True, eq=False)
class Foreseen:
    """An experiment that nobody has made yet, its interventions, and the effect they would have."""

    experiment: Experiment
    changes: tuple[Intervention, ...]
    effect: Effect


def current_effect() -> Effect:
    """Return the effect of all interventions on the sentence in the box."""
    return effects.effect(state.sentence(), edits.interventions())


def foreseen_of(effect: Effect, offered: Sequence[Experiment]) -> Foreseen | None:
    """Return the experiment whose effect is shown beforehand.

    It is the first one that changes the translation, else the first. It is None once the model is
    changed, or in a lesson.
    """
    if effect.changed or lesson_shown():  # a lesson says what to press
        return None
    seen: list[Foreseen] = []
    for each in offered:
        if each.foreseen and each.changes:
            effect_then = effects.effect(state.sentence(), each.changes)
            seen.append(Foreseen(each, each.changes, effect_then))
            texts = (
                run.translation.text for run in (seen[-1].effect.before, seen[-1].effect.after)
            )
            if len(set(texts)) > 1:
                return seen[-1]
    return seen[0] if seen else None


def show_outcome(effect: Effect, foreseen: Foreseen | None = None) -> None:
    """Draw both translations and the probabilities of a few pieces; they are always in view.

    As long as nothing is changed, the outcome of the experiment that is `foreseen` is drawn.
    """
    effect = foreseen.effect if foreseen else effect
    step = focus.current().step
    if step is None and focus.opening().measured:
        step = focus.opening().step
    with st.container(key="before after"):
        told = outcome_of(effect, step, foreseen.experiment if foreseen else None)
        outcome.show(told, "outcome")
        if caution := outcome.likelier_yet_worse(told):
            st.caption(caution)


def outcome_of(effect: Effect, step: int | None, foreseen: Experiment | None = None) -> Outcome:
    """Return the outcome of an effect, with a `step` of the translation in focus."""
    whole = {word.first for word in words_of(effect.pieces) if word.first == word.last}
    # A piece within a word has no rival.
    rivals = {position: runs.rival(effect.ids[position]) for position in whole}
    pairs = sorted(position for position, rival in rivals.items() if rival is not None)
    first, beside = deciding_place(effect.likely_after - effect.likely_before, pairs, step)
    return Outcome(
        (effect.before.translation.text, effect.after.translation.text),
        effect.log_probs,
        _decision(effect, first, rivals.get(first)),
        [_likely(effect, position, effect.ids[position]) for position in beside],
        effect.changed,
        effect.ahead,
        len(effect.after.translation.ids),
        foreseen.name if foreseen else "",
        foreseen.part if foreseen else "",
    )


def _decision(effect: Effect, step: int, rival: int | None) -> Decision:
    """Return the piece at a step and its rival, by its id; without one, the likeliest other."""
    own = effect.ids[step]
    pair = (own, effect.strongest_other(step) if rival is None else rival)
    piece, other = (_likely(effect, step, id_) for id_ in pair)
    rest = Likely(
        "",
        _("all other pieces"),
        max(0.0, 1 - piece.before - other.before),
        max(0.0, 1 - piece.after - other.after),
    )
    return Decision(piece, other, rest)


def _likely(effect: Effect, step: int, piece: int) -> Likely:
    """Return the probability of a piece, given by its id, at a step, before and after."""
    (name,) = runs.token_names([piece])
    pieces = (*effect.pieces[:step], name)
    return Likely(lead(pieces, step), bare(name), *effect.likely(step, piece))


def change_in_nats() -> Values:
    """Describe values that say how the log-probability changes when a part is switched off."""
    legend = _("change of log-probability, nats")
    if st.session_state.get(STAGE):
        return Values(legend, (_("less likely"), _("more likely")))
    return Values(legend, (_("less likely without it"), _("more likely without it")))


def without_figures() -> str:
    """Return the words that explain these values to a class without figures; "" for readers."""
    return _("the translation without it alone") if st.session_state.get(STAGE) else ""


def show_likelihoods(effect: Effect) -> None:
    """Draw the probability of each piece of the translation before, in both models.

    If nothing is changed, or too little to be seen, nothing is drawn.
    """
    if not is_likelihood_seen(effect):
        return  # `show_outcome` has said so
    st.markdown(likelihood_titles()[effect.ahead])
    figure = likelihood_chart(
        effect.pieces, effect.likely_before, effect.likely_after, state.current_theme()
    )
    show_below(figure, "likelihoods")


def is_likelihood_seen(effect: Effect) -> bool:
    """Tell whether any probability changes by enough to be seen."""
    moved = np.abs(effect.likely_after - effect.likely_before)
    return effect.changed and bool(moved.max(initial=0) >= UNSEEN)


def likelihood_titles() -> tuple[str, str]:
    """Say what the probabilities are, the second where the changed model looks ahead."""
    return (
        _(
            "**How likely each piece of the translation before the change is, given the pieces "
            "before it** (numbers: change in percentage points)"
        ),
        _(
            "**How likely each piece of the translation before the change is**; before: given the "
            "pieces before it, after: given the whole translation (numbers: change in percentage "
            "points)"
        ),
    )


def choose_head(
    effect: Effect,
    worth: Importance | None = None,
    line: DeltaGenerator | None = None,
    first: Head | None = None,
    why: str = "",
    below: DeltaGenerator | None = None,
) -> Head:
    """Draw the choice of a head, with buttons for those that moved most; return the chosen head.

    Before anything is chosen, it is `first`, else the head that moved most, else the one on which
    the sentence opens; a line says `why`. If no head moved, the frames show what each is `worth`.
    The boards are open, or folded on a `line` elsewhere. What is told of a change comes `below`, so
    that what is pressed between them stays in its place.
    """
    shares: dict[Kind, NDArray[np.float32]] = {kind: effect.moved(kind) for kind in KINDS}
    moved = most_moved(shares)
    colours = state.current_theme().moved
    framed = None
    if moved:
        framed = Shares(attention_texts()["share"], shares, colours)
    elif worth:
        lost: dict[Kind, NDArray[np.float64]] = {
            kind: np.maximum(falls, 0) for kind, falls in worth.falls.items()
        }
        framed = Shares(_("log-probability lost without the head, nats"), lost, colours)
    with line or nullcontext():
        view = state.attention_controls(
            effect.forced,
            first or (moved[0][1] if moved else None),
            framed,
            folded=line is not None,
        )
    with below or line or nullcontext():
        if (first or moved) and not focus.current().names_head:
            told = attention_texts()
            st.caption(told["shown"].format(head=state.head_name(view), why=why or told["why"]))
    with below or nullcontext():
        offer_heads(moved)
    return view


def show_attention(effect: Effect, view: Head) -> None:
    """Draw how the attention of one head changes; draw nothing if the model is unchanged."""
    if not effect.changed:
        return
    told = attention_texts()
    st.markdown(told["title"])
    recording = effect.forced
    change = effect.attention_change(view.kind)[view.layer, view.head]
    queries, keys = recording.tokens(view.kind)
    if not is_seen(change):
        st.caption(told["off" if _is_off(view) else "same"])
        return
    title = told["change"].format(head=state.head_name(view))
    theme, after = state.current_theme(), view.kind != "encoder"
    figure = difference_heatmap(change, queries, keys, title, theme, after)
    show_below(figure, "difference")


def attention_texts() -> dict[str, str]:
    """Return the texts of a head's change of attention, and of how a head comes to be shown."""
    return {
        "title": _("**What this head looks at: after minus before**"),
        "change": _("{head}: change"),
        "off": _("The output of this head is off; its attention is as before."),
        "same": _("The attention of this head did not change."),
        "share": _("share of attention that moved"),
        "shown": _("{head} is shown, as {why}. Press a head to keep it."),
        "why": _("its attention moved most"),
    }


def _is_off(view: Head) -> bool:
    """Tell whether a head is switched off, in any of the ways."""
    head = view.kind, view.layer, view.head
    return any(AblateHead(*head, mode) in edits.interventions() for mode in MODES)
