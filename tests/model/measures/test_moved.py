import numpy as np

from model.measures.moved import moved_share


def test_the_share_that_moved_is_one_when_everything_went_elsewhere() -> None:
    assert moved_share(np.array([1.0, -1.0, 0.0])) == 1
    assert moved_share(np.array([0.25, -0.25, 0.0])) == 0.25
    assert moved_share(np.array([np.nan, np.nan])) == 0


def test_every_row_has_its_own_share() -> None:
    change = np.array([[[1.0, -1.0], [0.5, -0.5]], [[0.0, 0.0], [np.nan, 0.25]]])
    assert moved_share(change).tolist() == [[1, 0.5], [0, 0.125]]
