"""How it learned: the target shifted right, the loss of every row, and a head being born."""

import streamlit as st

from viz.language.text import _, later
from viz.pages.learning import born, one_example, rates, steps, teacher
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

BORN = later("a head being born")
TOPICS = {
    later("one example"): one_example.show,
    later("teacher forcing"): teacher.show,
    later("some steps"): steps.show,
    later("rate and dropout"): rates.show,
    BORN: born.show,
}


def leads() -> dict[str, str]:
    """Return the lead of each topic but the last, whose lead depends on the history."""
    return {
        "one example": _("Every row is given the piece before, and must say the next one."),
        "teacher forcing": _(
            "Left, every mistake is forgiven; right, the model lives with what it said."
        ),
        "some steps": _("Watch the translation turn as the loss falls, on a copy of the model."),
        "rate and dropout": _(
            "How big the steps of training are, and what it switches off at random."
        ),
    }


opened = open_page()
topic = choose_view(list(TOPICS), "learning", BORN if born.is_kept() else None)
if topic in leads():
    st.markdown(leads()[topic])
with telling("topic"), st.container(key="topic"):
    fragment(TOPICS[topic])(opened)  # a slider redraws its own topic only
