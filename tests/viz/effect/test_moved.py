"""The heads whose attention a change moved most."""

import numpy as np

from model.sites.sites import Head
from viz.effect.difference import UNSEEN
from viz.effect.moved import most_moved


def test_the_heads_that_moved_come_most_first_and_what_nobody_sees_is_left_out() -> None:
    cross = np.array([[0.2, UNSEEN], [UNSEEN / 2, 0.0]])
    found = most_moved({"encoder": np.array([[0.1, 0.4]]), "cross": cross})
    assert found == [
        (0.4, Head("encoder", 0, 1)),
        (0.2, Head("cross", 0, 0)),
        (0.1, Head("encoder", 0, 0)),
        (UNSEEN, Head("cross", 0, 1)),
    ]
