"""Groups of sentences, and their means, on made-up rows."""

import pytest

from viz.compute.many import Line, Row, Table
from viz.pages.atlas.many_groups import by_length, by_word, columns_of


def row(words: int, likely: float = -1.0, sharp: float = 0.5) -> Row:
    return Row("x", likely, sharp, 0.5, 1, words)


def test_lengths_are_told_apart_at_their_edges() -> None:
    rows = [row(words) for words in (5, 6, 1, 21, 40, 0, 10)]
    assert by_length(rows) == [
        ("1 to 5 words", [0, 2]),
        ("6 to 10 words", [1, 6]),
        ("21 to 40 words", [3, 4]),
        ("no word", [5]),
    ]
    assert by_length([]) == []


@pytest.mark.parametrize(
    ("word", "inside"), [("it", [0, 3]), ("a.c", []), ("猫", [4]), ("nowhere", [])]
)
def test_a_word_is_found_whole_whatever_the_case(word: str, inside: list[int]) -> None:
    texts = ("It is late.", "I sit here.", "abc", "I saw it!", "一只猫。")
    groups = dict(by_word([Line(text) for text in texts], word))
    assert groups.get(f"with “{word}”", []) == inside
    assert groups[f"without “{word}”"] == [n for n in range(5) if n not in inside]


def test_a_group_has_the_mean_of_its_rows_and_scores_of_both_sides() -> None:
    rows = (row(3, -1.0), row(3, -2.0, float("nan")), row(3, -4.0))
    lines = [Line("a", "x"), Line("b"), Line("c")]
    found = columns_of(
        [("one", [0, 1]), ("two", [2])], lines, Table(rows, rows[::-1]), "by B", "sharp"
    )
    assert found["log-probability a piece"] == [-1.5, -4.0]
    assert found["log-probability a piece, by B"] == [-3.0, -1.0]
    assert found["sharp"] == [0.5, 0.5]
    assert found["chrF"][1] is None
    assert found["chrF"] == found["chrF, by B"]
    assert found["repeated words"] == [2, 1]
