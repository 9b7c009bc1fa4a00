"""How sharp weights are, and weights from scores."""

import numpy as np
import pytest

from viz.figures.weights import sharpness, softmax


def test_sharpness_of_even_and_of_single_minded_attention() -> None:
    even = sharpness(np.full((1, 1, 3, 4), 0.25, np.float32))
    assert even == (pytest.approx(np.log(4)), 0.25)
    assert sharpness(np.eye(3, dtype=np.float32)[None, None]) == (0.0, 1.0)
    rows = np.array([[[[0.75, 0.25, 0, 0], [0.25, 0.25, 0.25, 0.25]]]], np.float32)
    first = -0.75 * np.log(0.75) + 0.25 * np.log(4)
    assert sharpness(rows) == (pytest.approx((first + np.log(4)) / 2), pytest.approx(0.5))


def test_every_row_of_scores_is_a_distribution_by_itself() -> None:
    found = softmax(np.array([[1e4, 1e4 + np.log(3)], [0.0, -np.inf]]))
    np.testing.assert_allclose(found, [[0.25, 0.75], [1, 0]], rtol=1e-9)
