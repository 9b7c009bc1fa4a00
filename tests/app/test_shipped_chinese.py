"""The shipped model from Chinese to English: its goals, and every page on its own examples."""

import pytest

from model.checkpoints.card import read_card
from tests.app.conftest import FIRST, OpenPage
from tests.app.leftovers import assert_opened
from viz.compute import examples, models, runs, swings
from viz.shell.navigation import page_links

NAME = "zh-en"
PAGES = sorted(page_links() | {FIRST})


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("link", PAGES)
def test_every_page_opens_in_both_languages(open_page: OpenPage, link: str, language: str) -> None:
    assert_opened(open_page(link, model=NAME, lang=language), language)


def test_its_goals_are_reached() -> None:
    quality = read_card(models.folders()[NAME])["quality"]["test"]["greedy"]
    everything = next(row for row in quality if row["words"] == "all")
    assert everything["bleu"] >= 22
    assert everything["chrf"] >= 42


def test_one_head_looks_at_the_word_that_decides() -> None:
    with models.using(NAME):
        swing, story = swings.swing(), examples.current().story
    assert story is not None
    assert swing is not None
    assert swing.moved > 0.9


def test_its_words_of_two_meanings_are_told_apart() -> None:
    with models.using(NAME):
        known = examples.current().meanings
        for one in known:
            said = [runs.run(text).translation.text for text in one.sentences]
            assert one.told_apart(said) == (True, True)
    assert len(known) >= 8
    assert len(examples.of(NAME).sentences) >= 8
