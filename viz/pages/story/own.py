"""The pair of sentences on screen: the first page's own, that of the link, or one just typed."""

import streamlit as st

from model.checkpoints.examples import StoryPair
from model.measures.own_pair import NoPairError
from viz.compute import swings
from viz.compute.own_pair import own_pair
from viz.link import address
from viz.pages.story.story_picture import LINKED, PAIR, Answer, sent_pair

_TYPED, _ANSWER = "typed pair", "answer to a pair"


def take_pair() -> None:
    """Keep the sentences that the visitor has just sent, for the run that follows."""
    if pair := sent_pair():
        st.session_state[_TYPED] = pair


def pair_waits() -> bool:
    """Tell whether the visitor has sent two sentences that the page has not yet read."""
    return _TYPED in st.session_state


def asked_pair() -> tuple[StoryPair, Answer]:
    """Return the pair to show, and the answer to what was typed; the link then has this pair.

    What tells no story leaves the pair that was there. ValueError when the model has no story of
    its own, and no other pair was asked for.
    """
    said = address.parameters()
    linked = said.get(PAIR[0], ""), said.get(PAIR[1], "")
    typed = st.session_state.pop(_TYPED, None)
    answer = st.session_state.get(_ANSWER, Answer())
    if typed:
        problem, asked = _read(typed)
        answer = Answer(answer.number + 1, problem)
        st.session_state[_ANSWER] = answer
        if asked:
            names = typed if asked != first_pair() else ("", "")
            address.put(dict(zip(PAIR, names, strict=True)) | dict.fromkeys(LINKED.values(), ""))
            return asked, answer
    if not any(linked):
        return swings.story(), answer
    problem, asked = _read(linked)
    return asked or swings.story(), answer if typed else Answer(answer.number, problem)


def _read(sentences: tuple[str, str]) -> tuple[str, StoryPair | None]:
    """Return the reason against two sentences, such as "long 34", or "", and their story."""
    first = first_pair()
    if first and sentences == (first.first, first.second):
        return "", first
    try:
        return "", own_pair(*sentences)
    except NoPairError as error:
        return f"{error.reason} {error.pieces or ''}".rstrip(), None


def first_pair() -> StoryPair | None:
    """Return the pair of the model's examples, which the page opens with; None without one."""
    try:
        return swings.story()
    except ValueError:
        return None
