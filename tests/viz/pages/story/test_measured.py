"""What cutting a link did, in one word: from both sentences' probabilities."""

import numpy as np
import pytest

from viz.pages.story.measured import Effect, effect

RIGHT = [[0.93, 0.01], [0.02, 0.92]]


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ([[0.92, 0.01], [0.02, 0.9]], "nothing"),
        ([[0.45, 0.4], [0.4, 0.45]], "toss-up"),
        ([[0.9, 0.02], [0.88, 0.03]], "toss-up"),  # always il: right in one of two
        ([[0.01, 0.9], [0.9, 0.01]], "toss-up"),
        ([[0.6, 0.1], [0.1, 0.6]], "partly"),
        ([[0.013, 0.0001], [0.0001, 0.011]], "partly"),  # both fall, the choice stays
    ],
)
def test_an_effect_is_named(after: list[list[float]], found: Effect) -> None:
    likely = np.array([[RIGHT[n], after[n]] for n in range(2)])
    assert effect(likely, 1) == found
