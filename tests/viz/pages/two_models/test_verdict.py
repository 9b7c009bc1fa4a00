"""What an alignment looks like, from its weights alone."""

import numpy as np
import pytest

from viz.pages.two_models.verdict import verdict


def test_a_row_with_a_piece_of_its_own_is_sharp() -> None:
    found = verdict(np.eye(4, 5) * 0.8 + 0.04)
    assert (found.pattern, found.column) == ("sharp", None)
    assert found.share == pytest.approx(0.84)


def test_a_key_that_takes_most_rows_stands_out() -> None:
    weights = np.full((4, 5), 0.1)
    weights[:, 4] = 0.6
    found = verdict(weights)
    assert (found.pattern, found.column) == ("column", 4)
    assert found.share == pytest.approx(0.6)


def test_two_rows_are_too_few_for_a_column() -> None:
    weights = np.array([[0.1, 0.9], [0.2, 0.8]])
    assert verdict(weights).pattern == "sharp"


def test_even_weights_are_spread() -> None:
    assert verdict(np.full((6, 6), 1 / 6)).pattern == "spread"
