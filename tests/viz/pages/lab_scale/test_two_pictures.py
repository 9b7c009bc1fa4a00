"""The link of a head that is named before and after a change."""

import numpy as np

from viz.pages.lab_scale.two_pictures import darkest, whole_words


def test_a_link_between_whole_words_is_named_before_a_stronger_one_between_signs() -> None:
    tokens = ["\u2581Tom", "\u2581(", "m", "y", "\u2581brother", ")", "</s>"]
    words = whole_words(tokens)
    assert words == [True, False, False, False, True, False, False]
    weights = np.full((7, 7), 0.01)
    weights[1, 1], weights[4, 0] = 0.9, 0.3
    assert darkest(weights, np.outer(words, words)) == (4, 0)
    assert darkest(weights, np.zeros((7, 7), dtype=bool)) == (1, 1)
