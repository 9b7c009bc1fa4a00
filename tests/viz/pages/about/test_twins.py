"""The table of small twins: a row for each that is there, and none for any other."""

from model.checkpoints.card import load_card
from viz.compute import models
from viz.pages.about.twins import TWINS, measured, table


def test_the_table_has_a_row_for_each_twin_that_is_there_with_its_own_numbers() -> None:
    there = {what: name for what in TWINS if (name := models.twin("en-fr", what))}
    assert {"sinusoid", "learned", "rotary"} <= set(there)
    cards = measured()
    assert len(cards) == len(there)
    columns = list(table(cards).values())
    for row, name in enumerate(there.values()):
        card = load_card(models.folder_of(name))
        assert [column[row] for column in columns[1:]] == [
            f"{card.steps_in_all:,}",
            f"{card.dev_loss:.2f}",
            f"{card.bleu('test'):.1f}",
        ]


def test_a_model_without_twins_has_no_table() -> None:
    with models.using("zh-en"):
        assert measured() == {}
