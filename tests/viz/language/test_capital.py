"""Choices on screen begin with a capital, names and formulas stay as they are."""

import pytest

from viz.language.text import capital


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one word, two meanings", "One word, two meanings"),
        ("feed-forward", "Feed-forward"),
        ("curves", "Curves"),
        ("unigram: drop pieces", "Unigram: drop pieces"),
        ("a head being born", "A head being born"),
        ("chrF", "chrF"),
        ("q of this head", "q of this head"),
        ("√d_k", "√d_k"),
        ("ß", "ß"),
        ("曲线", "曲线"),
    ],
)
def test_a_word_gets_a_capital(text: str, shown: str) -> None:
    assert capital(text) == shown
