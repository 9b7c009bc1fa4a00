"""How it learned: ten topics, from one training example to a head being born."""

from collections.abc import Callable

import streamlit as st

from model.results import Run
from viz.language.text import _, later
from viz.pages.learning import (
    alike,
    born,
    dropping,
    one_example,
    optimizing,
    rates,
    scoring,
    starting,
    steps,
    teacher,
)
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

BORN = later("a head being born")
TOPICS: dict[str, Callable[[Run], None]] = {
    BORN: born.show,
    later("one example"): one_example.show,
    later("teacher forcing"): teacher.show,
    later("first weights"): starting.show,
    later("equal heads"): alike.show,
    later("steps"): steps.show,
    later("rate"): rates.show,
    later("optimizers"): optimizing.show,
    later("dropout"): dropping.show,
    later("scores"): scoring.show,
}


def leads() -> dict[str, str]:
    """Return the leads of all topics but the first, whose lead depends on the history."""
    return {
        "one example": _("Every row is given the piece before, and must say the next one."),
        "teacher forcing": _(
            "Left, every mistake is forgiven; right, the model lives with what it said."
        ),
        "first weights": _(
            "Random numbers, but not of any size: left how large the chosen rule draws them, right "
            "what comes of smaller and larger ones."
        ),
        "equal heads": _(
            "All heads see the same input. Why do they become different? A small model learns this "
            "pair from three starts."
        ),
        "steps": _("Steps of gradient descent on this one pair, on a copy of the model."),
        "rate": _("How big the steps of training are."),
        "optimizers": _(
            "Five ways down the same valley, from the same place: each point is a step of two "
            "weights."
        ),
        "dropout": _("What training switches off at random: the same row, drawn twice."),
        "scores": _("The translation beside a reference: which groups of words BLEU counts."),
    }


opened = open_page()
topic = choose_view(list(TOPICS), "learning", None if born.is_kept() else "one example")
if topic in leads():
    st.markdown(leads()[topic])
with telling("topic"), st.container(key="topic"):
    fragment(TOPICS[topic])(opened)  # a slider redraws only its topic
