"""The second sentence that is proposed for one: another word in it, tried with the model."""

import pytest

from tests.sentences import TIRED_OR_WIDE
from viz.compute import models, pairs, runs
from viz.compute.other_word import second_for

OWN = (
    "My old dog didn't eat the soup because it was too hot.",
    "I gave my sister the book yesterday.",
    "We met on 14 July 2019 at 6:45 pm.",
    "How much does it cost?",
    "MY BROTHER IS TIRED.",
)


@pytest.mark.parametrize("sentence", OWN)
def test_one_word_of_the_sentence_is_another_and_the_translations_part(sentence: str) -> None:
    words, others = sentence.split(), second_for(sentence).split()
    exchanged = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    assert len(exchanged) == 1
    (word, other) = exchanged[0]
    assert (word.isupper(), word.istitle()) == (other.isupper(), other.istitle())
    assert pairs.pair(sentence, second_for(sentence)).decision is not None


def test_a_well_known_pair_keeps_its_own_second_sentence() -> None:
    assert second_for(TIRED_OR_WIDE.first) == TIRED_OR_WIDE.second


def test_nothing_is_proposed_where_no_word_can_be_exchanged() -> None:
    assert second_for("Hello!") == ""
    assert second_for(" ") == ""


def test_a_chinese_sentence_keeps_its_marks() -> None:
    sentence = "她昨天在《晚报》上看到，天气很热。"
    with models.using("zh-en"):
        second = second_for(sentence)
        assert len(second) == len(sentence)
        assert all(mark in second for mark in "《》，。")
        assert runs.run(second).translation.ids != runs.run(sentence).translation.ids
