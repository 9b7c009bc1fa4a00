"""The box for a second sentence, which is compared with the one in the top bar."""

import streamlit as st

from viz.compute import examples, other_word
from viz.language.text import _
from viz.language.wording import escaped
from viz.link import address
from viz.shell import state

_SECOND = "second"

_PROPOSED = "proposed second"
"""The key of the sentence that was last proposed; a reader's own sentence stays in the box."""


def second_sentence(*, low: bool = False) -> str:
    """Draw the box for the second sentence, and a button for each well-known pair.

    Return the sentence in the box. The box begins with the sentence above with one word exchanged,
    and follows it. If `low`, everything stands in one row, without labels.
    """
    proposed = _proposed()
    known = examples.current().pairs
    whole = st.container(key="other pairs")
    row = whole.container(horizontal=True, vertical_alignment="center", gap="small")
    box = row.container(width=520) if low else whole
    with row:
        if known and not low:
            st.caption(_("Well-known pairs:"), width="content")
        for number, pair in enumerate(known):
            st.button(
                escaped(pair.name),
                key=f"pair {number}",
                help=escaped(f"{pair.first} / {pair.second}"),
                on_click=_choose,
                args=((pair.first, pair.second),),
            )
        st.button(
            _("Copy the sentence above"),
            key="copy first",
            icon=":material/content_copy:",
            on_click=_copy_first,
        )
    sentence = box.text_input(
        _("Compare the sentence above with"),
        proposed,
        key=_SECOND,
        bind=address.BOUND,
        icon=":material/compare_arrows:",
        label_visibility="collapsed" if low else "visible",
    )
    return sentence or ""


def _proposed() -> str:
    """Propose a second sentence. It replaces an earlier proposal in the box, but no other text."""
    proposed, last = other_word.second_for(state.sentence()), st.session_state.get(_PROPOSED)
    if last not in (None, proposed) and st.session_state.get(_SECOND) == last:
        st.session_state[_SECOND] = proposed
    st.session_state[_PROPOSED] = proposed
    return proposed


def _copy_first() -> None:
    st.session_state[_SECOND] = state.sentence()


def _choose(sentences: tuple[str, str]) -> None:
    st.session_state["sentence"], st.session_state[_SECOND] = sentences
