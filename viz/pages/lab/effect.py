"""Before against after: translations, probabilities and attention, for every intervention."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.interventions.heads import MODES, AblateHead
from model.interventions.masks import LiftMask
from model.recording.sites import KINDS, Kind
from viz.components.head_picker import Shares
from viz.components.two_texts import marked_columns
from viz.compute import effects
from viz.compute.effects import Effect
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.language.text import _
from viz.pages.lab.difference import UNSEEN, difference_heatmap, is_seen
from viz.pages.lab.likelihood import likelihood_chart
from viz.pages.lab.moved import most_moved
from viz.pages.lab.offer import offer_heads
from viz.shell import state
from viz.shell.cover import telling
from viz.shell.state import View


def current_effect() -> Effect:
    """Return the effect of all interventions on the sentence in the box."""
    return effects.effect(state.sentence(), state.interventions())


def show_effect(effect: Effect) -> None:
    """Draw everything that the interventions change."""
    show_translations(effect)
    with telling("effect"):
        show_likelihoods(effect)
        if effect.changed:
            show_attention(effect, choose_head(effect))


def show_translations(effect: Effect) -> None:
    """Draw both translations with the words marked that changed, always in view."""
    translations = effect.before.translation, effect.after.translation
    before, after = (f"{Number(shown.log_prob):.2f}" for shown in translations)
    same = translations[0].text == translations[1].text
    titles = (
        _("**Before** · log-probability {value}").format(value=before),
        _("**After**, the same words · log-probability {value}").format(value=after)
        if same
        else _("**After** · log-probability {value}").format(value=after),
    )
    with st.container(key="before after"):
        marked_columns((translations[0].text, translations[1].text), titles)


def worse_and_better() -> tuple[str, str]:
    """Return the words at both ends of the scale of changes without a part."""
    return _("worse without it"), _("better without it")


def show_likelihoods(effect: Effect) -> None:
    """Draw the probability of every piece of the translation before, in both models."""
    if not effect.changed:
        return
    if np.abs(effect.likely_after - effect.likely_before).max(initial=0) < UNSEEN:
        st.caption(_("Every piece of the translation before is as likely as it was."))
        return
    if LiftMask("decoder") in state.interventions():
        title = _(
            "**How likely each piece of the translation before is**; before: given the pieces "
            "before it, after: given the whole translation (numbers: change in percentage points)"
        )
    else:
        title = _(
            "**How likely each piece of the translation before is, given the pieces before it** "
            "(numbers: change in percentage points)"
        )
    st.markdown(title)
    figure = likelihood_chart(
        effect.pieces, effect.likely_before, effect.likely_after, state.current_theme()
    )
    show_figure(figure, key="likelihoods")


def choose_head(effect: Effect) -> View:
    """Draw the choice of a head, with those that moved most one click away.

    Until a head is chosen, it is the one that moved most.
    """
    shares: dict[Kind, NDArray[np.float32]] = {kind: effect.moved(kind) for kind in KINDS}
    moved = most_moved(shares)
    colours = state.current_theme().sequential
    view = state.attention_controls(
        effect.forced.config,
        moved[0][1] if moved else None,
        Shares(_("share of attention that moved"), shares, colours) if moved else None,
    )
    offer_heads(moved, _("No head's attention moved."))
    return view


def show_attention(effect: Effect, view: View) -> None:
    """Draw how the attention of one head changes; nothing as long as no head can have changed."""
    if not effect.changed:
        return
    st.markdown(_("**What this head looks at: after minus before**"))
    recording = effect.forced
    change = effect.attention_change(view.kind)[view.layer, view.head]
    queries, keys = recording.tokens(view.kind)
    if not is_seen(change):
        st.caption(
            _("The output of this head is off; its attention is as before.")
            if _is_off(view)
            else _("The attention of this head did not change.")
        )
        return
    title = _("{head}: change").format(head=state.head_name(view))
    figure = difference_heatmap(change, queries, keys, title, state.current_theme())
    show_figure(figure, key="difference")


def _is_off(view: View) -> bool:
    """Tell whether the output of a head is replaced."""
    place = view.kind, view.layer, view.head
    return any(AblateHead(*place, mode) in state.interventions() for mode in MODES)
