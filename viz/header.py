"""The head that all pages share: title, what to look at, the sentence and its translation."""

import streamlit as st

from viz import compute, state
from viz.compute import Run
from viz.text import _
from viz.theme import token_chips


def open_page(title: str, lead: str) -> Run:
    """Draw the head of a page and return the run of the sentence in the box.

    When there is nothing to translate, say so in one sentence and end the page there.
    """
    st.header(title, anchor=False)
    st.markdown(lead)
    try:
        run = compute.run(state.sentence(), state.interventions())
    except ValueError:
        st.info(_("Nothing to translate yet: type an English sentence into the box above."))
        st.stop()
    _notices(run)
    return run


def show_translation(run: Run) -> None:
    """Show the source and its translation, with the pieces each is made of."""
    source, target = st.columns(2)
    with source.container(border=True):
        st.markdown(f":small[{_('English')}]")
        st.text(run.source.text)
        st.html(token_chips(run.source.tokens))
    with target.container(border=True):
        st.markdown(f":small[{_('French, by the model')}]")
        st.text(run.translation.text or _("(nothing: the end token came first)"))
        st.html(token_chips(run.translation.tokens))


def _notices(run: Run) -> None:
    limit = compute.translator().max_tokens
    if run.source.cut:
        st.warning(
            _("The sentence is long: only its first {limit} pieces are used.").format(limit=limit)
        )
    if len(run.recording.target_tokens) >= limit:
        st.warning(_("The translation was stopped at {limit} pieces.").format(limit=limit))
