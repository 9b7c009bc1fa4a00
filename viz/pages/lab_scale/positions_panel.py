"""The view of changed positions: translation and attention beside those as trained."""

import streamlit as st

from model.interventions import link_text
from model.interventions.base import Intervention
from model.interventions.positions import PositionIntervention
from model.sites.sites import Head
from model.translator import Run
from viz.components.two_texts import marked_columns
from viz.compute import effects
from viz.compute.effects import Effect
from viz.figures.figure import show_figure
from viz.figures.theme import token_chips
from viz.language.text import _
from viz.link import edits
from viz.pages.lab_scale import formulas
from viz.pages.lab_scale.change import change_figure
from viz.pages.lab_scale.positions import position_controls
from viz.shell import state
from viz.shell.intervention_words import group_words


def show_side_by_side(run: Run) -> None:
    """Draw translation and attention twice: with the positions as trained, and as changed.

    All other changes in the model are in force on both sides.
    """
    interventions = edits.interventions()
    position_controls(run.recording.config)
    others = edits.replaced(interventions, PositionIntervention)
    effect = effects.effect(state.sentence(), interventions, others)
    view = state.attention_controls(effect.forced, folded=False)
    if not effect.changed:
        st.caption(_("The positions are as trained. Choose above what happens to them."))
    _translations(effect)
    if effect.changed:
        _attention(effect, view)
    changes = [one for one in edits.in_force(run.left_out) if one not in others]
    if view.kind == "encoder" and changes and not _reaches_encoder(changes):
        st.caption(_("The encoder runs first, so nothing in the decoder can change it."))
    _explain(effect, changes)


def _reaches_encoder(changes: list[Intervention]) -> bool:
    return bool(edits.of_kind(changes, PositionIntervention, stack="encoder"))


def _translations(effect: Effect) -> None:
    """Draw both translations, with the changed words marked, and their pieces."""
    shown = effect.before.translation, effect.after.translation
    titles = _("Translation, positions as trained"), _("Translation, positions changed")
    texts = shown[0].text, shown[1].text
    with st.container(key="before after"):
        marked_columns(texts, titles)
    before, after = st.columns(2)
    before.html(token_chips(shown[0].tokens))
    after.html(token_chips(shown[1].tokens, written=True))


def _attention(effect: Effect, view: Head) -> None:
    """Draw the attention of one head on both sides, and write how much of it moved."""
    recording = effect.before.recording
    weights = [
        side.attention(view.kind)[view.layer, view.head] for side in (recording, effect.forced)
    ]
    queries, keys = recording.tokens(view.kind)
    titles = _("positions as trained"), _changed_words(effect)
    figure = change_figure((weights[0], weights[1]), titles, queries, keys, state.current_theme())
    show_figure(figure, "model-picture")
    st.caption(
        _(
            "{head}: on average {share:.0%} of a query's weight went to other keys. Both pictures "
            "are of the translation on the left."
        ).format(head=state.head_name(view), share=effect.moved(view.kind)[view.layer, view.head])
    )


def _changed_words(effect: Effect) -> str:
    """Name the change of the positions, for the title of a picture."""
    recording = effect.forced
    changes = edits.of_kind(recording.interventions, PositionIntervention)
    words = [
        group_words(group, recording.config, recording.source_tokens)
        for group in link_text.groups(changes)
    ]
    return ", ".join(words) or _("the same")


def _explain(effect: Effect, changes: list[Intervention]) -> None:
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The same trained model, the same pieces, but another encoding is added to the "
                "piece at position i. Every step of the translation on the right was made that way."
            )
        )
        for change in changes:
            if isinstance(change, PositionIntervention):
                st.latex(formulas.changed(change))
        st.markdown(
            _("How probable is the translation on the left, in the model as it is and changed?")
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
