"""Words in two sentences: where they stand, how alike they are, what they come near to."""

import numpy as np
import pytest

from model.checkpoints.examples import Meanings
from tests.sentences import OURS
from viz.figures.theme import LIGHT
from viz.pages.why.meaning_figure import likeness_figure
from viz.pages.why.meanings import likeness, neighbours, place_of


def test_a_word_is_found_as_a_piece_of_its_own() -> None:
    assert place_of("Light", ["▁The", "▁light", "."]) == 1
    with pytest.raises(ValueError, match="no single piece"):
        place_of("light", ["▁The", "▁mo", "on", "light"])
    assert place_of("花", ["▁他", "花", "了", "钱", "。", "</s>"]) == 1
    assert place_of("花", ["▁", "花", "很", "美", "。", "</s>"]) == 1


def test_a_word_is_compared_with_itself_and_with_the_others() -> None:
    first = np.zeros((2, 2, 3))
    first[:, 0] = [1, 0, 0]
    second = np.zeros((2, 3, 3))
    second[:, 2] = [2, 0, 0]
    second[1, 2] = [0, 5, 0]
    second[:, 0] = [3, 0, 0]
    second[:, 1] = [0, 0, 1]
    found = likeness(first, second, (0, 2))
    assert found.same.tolist() == [1, 0]
    assert found.others.tolist() == [0.5, 0.5]
    figure = likeness_figure(found, "light", LIGHT)
    assert list(figure.data[0].y) == [1, 0]  # pyrefly: ignore[missing-attribute]


def test_the_nearest_pieces_leave_out_what_stands_for_no_text() -> None:
    units = np.eye(4)
    vectors = np.array([[0.1, 3, 1, 2.0]])
    assert neighbours(vectors, units, 2, (1,)) == [[3, 2]]


def test_meanings_are_told_apart_by_both_words() -> None:
    light = OURS.meanings[0]
    assert light.told_apart(["La lumière.", "Il est léger."]) == (True, True)
    assert light.told_apart(["La lumière.", "La lumière."]) == (True, False)
    art = Meanings("art", ("", ""), ("art", "play"))
    assert art.told_apart(["A part.", "He plays."]) == (False, True)
