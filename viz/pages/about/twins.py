"""Small twins that were trained alike and differ in one part: what the part is worth."""

from collections.abc import Mapping

import streamlit as st

from model.checkpoints.card import Card
from viz.compute import models, runs
from viz.figures.table import show_table
from viz.language.text import _, later
from viz.shell.folded import opened

TWINS = {
    "sinusoid": later("none: the paper's parts"),
    "learned": later("learned positions"),
    "rotary": later("rotary positions"),
    "one-head": later("one big head in place of several"),
    "additive-scores": later("additive scores in place of dot products"),
    "no-relu": later("no ReLU"),
}
"""What is different in each twin, by the end of its name."""


def measured() -> dict[str, Card]:
    """Return the cards of the twins that the model in force has, by their difference."""
    cards: dict[str, Card] = {}
    for what, difference in TWINS.items():
        name = models.twin(models.in_force(), what)
        card = runs.card_of(name) if name else None
        if card is not None:
            cards[_(difference)] = card
    return cards


def show_twins() -> None:
    """Draw the table, folded; nothing where there are not two twins to compare."""
    cards = measured()
    title = _("Small twins that differ in one part")
    if len(cards) < 2 or not (box := opened(title, "twins", ":material/compare:")):
        return
    with box:
        show_table(table(cards))
        st.caption(
            _(
                "The same sizes, sentences and number of steps, one run and one seed each: a small "
                "difference may be chance."
            )
        )


def table(cards: Mapping[str, Card]) -> dict[str, list[str]]:
    """Return the columns of the table by their titles; a row for each twin."""
    losses = [card.dev_loss for card in cards.values()]
    return {
        _("what is different"): list(cards),
        _("training steps"): [f"{card.steps_in_all:,}" for card in cards.values()],
        _("loss on dev"): ["" if loss is None else f"{loss:.2f}" for loss in losses],
        _("BLEU on the test set"): [f"{card.bleu('test'):.1f}" for card in cards.values()],
    }
