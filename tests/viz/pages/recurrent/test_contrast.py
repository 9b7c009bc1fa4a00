"""Weights between words, from weights between pieces."""

import numpy as np

from model.words import words_of
from viz.pages.recurrent.contrast.words import between_words, written_words

KEYS = ["▁The", "▁street", "s", "</s>"]
QUERIES = ["<s>", "▁rue", "s", "▁là"]


def test_what_is_written_leaves_the_begin_token_out() -> None:
    assert [word.text for word in written_words(QUERIES)] == ["rues", "là"]
    assert written_words(["<s>"]) == []


def test_pieces_of_a_read_word_add_up_and_those_of_a_written_word_are_averaged() -> None:
    weights = np.array(
        [[0.1, 0.2, 0.3, 0.4], [0.3, 0.2, 0.1, 0.4], [0.0, 0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0]]
    )
    found = between_words(weights, written_words(QUERIES), words_of(KEYS))
    np.testing.assert_allclose(found, [[0.2, 0.4, 0.4], [0, 1, 0]])


def test_a_translation_without_words_has_no_lines() -> None:
    assert between_words(np.ones((1, 4)) / 4, [], words_of(KEYS)).shape == (0, 3)
