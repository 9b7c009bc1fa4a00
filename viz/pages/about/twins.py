"""Small twins that were trained alike and differ in one part: what the part is worth."""

from collections.abc import Sequence

import streamlit as st

from model.checkpoints.card import Card
from viz.compute import models, runs
from viz.figures.table import show_table
from viz.language.text import _, later
from viz.shell.folded import opened

NOTHING = later("nothing: the paper's parts")

TWINS = {
    "sinusoid": NOTHING,
    "learned": later("learned positions"),
    "rotary": later("rotary positions"),
    "thousand": NOTHING,
    "one-head": later("one big head in place of several"),
    "additive-scores": later("additive scores in place of dot products"),
    "joined": later("positions joined to the embedding, not added"),
    "no-relu": later("no ReLU"),
}
"""What is different in each twin, by the end of its name; each group begins with its like."""

Measured = tuple[str, Card]
"""What is different in a twin, in the visitor's language, and its card."""


def measured() -> list[Measured]:
    """Return the twins that the model in force has."""
    named = ((models.twin(models.in_force(), what), what) for what in TWINS)
    cards = ((runs.card_of(name), what) for name, what in named if name)
    return [(_(TWINS[what]), card) for card, what in cards if card]


def show_twins() -> None:
    """Draw the table, folded; nothing where there are not two twins to compare."""
    twins = measured()
    title = _("Small twins that differ in one part")
    if len(twins) < 2 or not (box := opened(title, "twins", ":material/compare:")):
        return
    with box:
        show_table(table(twins))
        st.caption(
            _(
                "Compare rows with the same number of training steps: these models have the same "
                "sizes and learned from the same sentences with the same seed. It is one run each: "
                "a small difference may be chance."
            )
        )


def table(twins: Sequence[Measured]) -> dict[str, list[str]]:
    """Return the columns of the table by their titles; a row for each twin."""
    cards = [card for _difference, card in twins]
    losses = [card.dev_loss for card in cards]
    return {
        _("what is different"): [difference for difference, _card in twins],
        _("training steps"): [f"{card.steps_in_all:,}" for card in cards],
        _("loss on dev"): ["" if loss is None else f"{loss:.2f}" for loss in losses],
        _("BLEU on the test set"): [f"{card.bleu('test'):.1f}" for card in cards],
    }
