"""Before against after: translations, probabilities and attention, for every intervention."""

import numpy as np
import streamlit as st

from model.interventions import LiftMask
from model.sites import Kind
from viz import state, whatif
from viz.figures.lab_difference import difference_heatmap
from viz.figures.lab_likelihood import likelihood_chart
from viz.lab.wording import marked
from viz.state import View
from viz.text import _
from viz.whatif import Effect


def current_effect() -> Effect:
    """Return the effect of all interventions on the sentence in the box."""
    return whatif.effect(state.sentence(), state.interventions())


def show_effect(effect: Effect) -> None:
    """Draw everything that the interventions change."""
    show_translations(effect)
    show_likelihoods(effect)
    show_attention(effect, choose_head(effect))


def show_translations(effect: Effect) -> None:
    """Draw both translations with the words marked that changed."""
    before, after = effect.before.translation, effect.after.translation
    texts = marked(before.text, after.text)
    columns = st.columns(2)
    names = (_("Before"), _("After"))
    for column, name, text, run in zip(columns, names, texts, (before, after), strict=True):
        with column.container(border=True):
            same = _(" · the same words") if name == names[1] and after.text == before.text else ""
            st.markdown(f":small[**{name}**{same}]")
            st.html(text)
            st.caption(
                _("log-probability of the whole translation: {value:.2f}").format(
                    value=run.log_prob
                )
            )
    if effect.forced is effect.before.recording:
        st.caption(_("Nothing is changed yet: before and after are the same."))


def show_likelihoods(effect: Effect) -> None:
    """Draw the probability of every piece of the translation before, in both models."""
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
    st.plotly_chart(figure, theme=None, config={"displaylogo": False}, key="likelihoods")


def choose_head(effect: Effect) -> View:
    """Draw the choice of a head, with those that moved most one click away."""
    view = state.attention_controls(effect.forced.config)
    _show_most_moved(effect)
    return view


def show_attention(effect: Effect, view: View) -> None:
    """Draw how the attention of one head changes."""
    st.markdown(_("**What this head looks at: after minus before**"))
    recording = effect.forced
    change = effect.attention_change(view.kind)[view.layer, view.head]
    queries, keys = recording.tokens(view.kind)
    title = _("{kind} attention, layer {layer}, head {head}: change").format(
        kind=state.kind_names()[view.kind],
        layer=state.on_screen(view.layer),
        head=state.on_screen(view.head),
    )
    unchanged = _("the attention of this head did not change")
    figure = difference_heatmap(change, queries, keys, title, state.current_theme(), unchanged)
    st.plotly_chart(figure, theme=None, config={"displaylogo": False}, key="difference")


def _show_most_moved(effect: Effect) -> None:
    """Offer the heads whose attention moved most, one click away."""
    moved: list[tuple[float, Kind, int, int]] = [
        (float(share), kind, layer, head)
        for kind in state.kind_names()
        for (layer, head), share in np.ndenumerate(effect.moved(kind))
    ]
    moved.sort(key=lambda entry: -entry[0])
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if moved[0][0] < 5e-4:
            st.caption(_("No head's attention moved."))
            return
        st.caption(_("Moved most:"), width="content")
        for share, kind, layer, head in moved[:6]:
            st.button(
                f"{state.kind_names()[kind]} {layer + 1}.{head + 1} · {share:.0%}",
                key=f"moved {kind} {layer} {head}",
                type="tertiary",
                help=_("Show this head; the share of its attention that went elsewhere"),
                on_click=state.show_head,
                args=(View(kind, layer, head),),
            )
