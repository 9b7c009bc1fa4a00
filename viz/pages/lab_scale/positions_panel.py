"""The view of changed positions: translation and attention, beside the trained model's."""

import streamlit as st

from model.interventions import link_text
from model.interventions.positions import PositionIntervention
from model.results import Run
from model.sites.sites import Head
from viz.compute.effects import Effect
from viz.effect.effect import current_effect, show_outcome
from viz.figures.figure import show_figure
from viz.figures.theme import token_chips
from viz.language.text import _
from viz.language.wording import listed
from viz.link import edits
from viz.pages.lab_scale import formulas
from viz.pages.lab_scale.change import change_figure
from viz.pages.lab_scale.positions import position_controls
from viz.shell import state
from viz.shell.intervention_words import group_words


def show_side_by_side(run: Run) -> None:
    """Draw translation and attention twice: as trained, and with all changes in the model."""
    position_controls(run.recording.config)
    effect = current_effect()
    show_outcome(effect)
    view = state.attention_controls(effect.forced, folded=False)
    changes = list(edits.of_kind(edits.in_force(run.left_out), PositionIntervention))
    if not changes:
        st.caption(_("The positions are as trained. Choose above what happens to them."))
    if effect.changed:
        _pieces(effect)
        _attention(effect, view)
    if view.kind == "encoder" and changes and not _reaches_encoder(changes):
        st.caption(_("The encoder runs first, so nothing in the decoder can change it."))
    _explain(effect, changes)


def _reaches_encoder(changes: list[PositionIntervention]) -> bool:
    return bool(edits.of_kind(changes, PositionIntervention, stack="encoder"))


def _pieces(effect: Effect) -> None:
    """Draw the pieces of both translations."""
    before, after = st.columns(2)
    before.html(token_chips(effect.before.translation.tokens))
    after.html(token_chips(effect.after.translation.tokens, written=True))


def _attention(effect: Effect, view: Head) -> None:
    """Draw the attention of one head on both sides, and write how much of it moved."""
    recording = effect.before.recording
    weights = [
        side.attention(view.kind)[view.layer, view.head] for side in (recording, effect.forced)
    ]
    queries, keys = recording.tokens(view.kind)
    titles = _("as trained"), _changed_words(effect)
    figure = change_figure((weights[0], weights[1]), titles, queries, keys, state.current_theme())
    show_figure(figure, "model-picture")
    st.caption(
        _(
            "{head}: on average {share:.0%} of a query's weight went to other keys. Both pictures "
            "are of the translation before."
        ).format(head=state.head_name(view), share=effect.moved(view.kind)[view.layer, view.head])
    )


def _changed_words(effect: Effect) -> str:
    """Return the words for all changes, for the title of a picture."""
    recording = effect.forced
    words = [
        group_words(group, recording.config, recording.source_tokens)
        for group in link_text.groups(recording.interventions)
    ]
    return listed(words)


def _explain(effect: Effect, changes: list[PositionIntervention]) -> None:
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The same trained model, the same pieces, but another encoding is added to the "
                "piece at position i. Every step of the translation after was made that way."
            )
        )
        for change in changes:
            st.latex(formulas.changed(change))
        st.markdown(
            _("How probable is the translation before, in the model as trained and changed?")
        )
        st.latex(formulas.log_probs(*effect.log_probs))
        st.markdown(
            _(
                "With all encodings 0 the encoder cannot tell one order of the words from another. "
                "A shift keeps every distance, but the model was trained on sentences that start "
                "at position 0: what it does with others shows how far it relies on distance "
                "alone. This is one sentence, not a law."
            )
        )
