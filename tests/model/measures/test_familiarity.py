"""How far a sentence is from what a model learned from."""

import pytest

from model.measures.familiarity import COMMON, signs


def test_pieces_are_counted_and_words_that_are_cut() -> None:
    tokens = ["▁The", "▁photo", "synth", "esis", ",", "▁no", ".", "</s>"]
    found = signs(tokens, -3.0, 6)
    assert found == {"long": 7, "rare": (5 + COMMON) / (3 + COMMON), "unsure": 0.5}


def test_one_rare_word_alone_is_less_than_a_sentence_of_them() -> None:
    rare = ["▁x", "y", "z", "w"]
    alone, many = (signs([*rare * count, "</s>"], 0.0, 1)["rare"] for count in (1, 6))
    assert 1 < alone < many < 4


def test_bytes_are_rare_and_marks_are_not() -> None:
    assert signs(["▁a", "<0xF0>", "<0x9F>", "</s>"], 0.0, 1)["long"] == 3
    assert signs(["▁a", ".", "!", "</s>"], 0.0, 1)["rare"] == 1
    assert signs(["▁", "<0xF0>", "<0x9F>", "<0x98>", "</s>"], 0.0, 1)["rare"] > 1


def test_a_translation_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least its end"):
        signs(["▁a"], -1.0, 0)
