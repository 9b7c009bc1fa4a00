import numpy as np
import pytest

from viz.figures.cosines import cosines


def test_cosines_are_those_of_each_pair() -> None:
    states = np.random.default_rng(0).normal(size=(5, 7))
    found = cosines(states)
    for i, one in enumerate(states):
        for j, other in enumerate(states):
            wanted = one @ other / np.sqrt((one @ one) * (other @ other))
            assert found[i, j] == pytest.approx(wanted)
    np.testing.assert_allclose(cosines(states * 0.01), found)


def test_cosines_worked_out_by_hand() -> None:
    found = cosines(np.array([[1.0, 0.0], [2.0, 2.0], [-3.0, 0.0], [0.0, 0.0]]))
    half = 0.5**0.5
    expected = [[1, half, -1, 0], [half, 1, -half, 0], [-1, -half, 1, 0], [0, 0, 0, 0]]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(cosines(np.array([[0.3, 0.4], [0.4, 0.3]]))[0], [1, 0.96])
