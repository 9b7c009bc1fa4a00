"""Both translations of a sentence: before and after the changes in the model."""

import streamlit as st

from viz.components.two_texts import marked_columns
from viz.compute.effects import Effect
from viz.figures.labels import Number
from viz.language.text import _


def show_translations(effect: Effect) -> None:
    """Draw both translations, with the words marked that changed; they stay in view."""
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
