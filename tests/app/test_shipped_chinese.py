"""The shipped model from Chinese to English: what it is good for."""

from model.checkpoints.card import read_card
from viz.compute import examples, models, runs, swings

NAME = "zh-en"


def test_its_goals_are_reached() -> None:
    quality = read_card(models.folders()[NAME])["quality"]["test"]["greedy"]
    everything = next(row for row in quality if row["words"] == "all")
    assert everything["bleu"] >= 31
    assert everything["chrf"] >= 50


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
