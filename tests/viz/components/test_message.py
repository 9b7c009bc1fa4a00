import json

import numpy as np
import pytest

from tests.fixtures.explorer_recordings import heads
from viz.components.message import LEVELS, pack, quantise, quantise_rows


def test_a_message_holds_the_header_and_the_numbers_in_order() -> None:
    arrays = {
        "weights": np.arange(6, dtype=np.uint8).reshape(2, 3),
        "q": np.linspace(-1, 1, 4, dtype="<f4"),
        "w": np.full((1, 2), 0.5, dtype="<f2"),
    }
    sent = pack({"word": "à"}, arrays)
    length = int.from_bytes(sent[:4], "little")
    shapes = [["weights", 1, [2, 3]], ["q", 4, [4]], ["w", 2, [1, 2]]]
    assert json.loads(sent[4 : 4 + length]) == {"word": "à", "arrays": shapes}
    assert sent[4 + length :] == b"".join(array.tobytes() for array in arrays.values())


def test_numbers_that_the_browser_does_not_read_are_refused() -> None:
    with pytest.raises(ValueError, match="q: expected uint8, float16 or float32, not float64"):
        pack({}, {"q": np.zeros(2)})


def test_weights_survive_within_half_a_level() -> None:
    weights = np.linspace(0, 1, 1000, dtype=np.float32)
    assert np.abs(quantise(weights) / LEVELS - weights).max() <= 0.5 / LEVELS + 1e-6


def test_rows_keep_their_sum_even_when_each_weight_is_tiny() -> None:
    diffuse = np.full((1, 1, 2, 128), 1 / 128, dtype=np.float32)
    diffuse[0, 0, 1, :] = 0.4 / 128  # what is left of a row after an edit
    assert quantise_rows(diffuse).sum(axis=-1).tolist() == [[[255, 102]]]


def test_rounding_keeps_the_order_of_a_row() -> None:
    rows = heads(1, 1, 30, 60, seed=3)
    order = np.argsort(rows, axis=-1)
    assert (np.diff(np.take_along_axis(quantise_rows(rows), order, axis=-1).astype(int)) >= 0).all()
