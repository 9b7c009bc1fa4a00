"""The boards on which a head is chosen show how far each head moved, where something moved."""

import numpy as np
import pytest

from model.interventions.masks import LiftMask
from tests.app.conftest import OpenPage
from tests.app.shown import head_boards
from tests.sentences import EXAMPLES, FIRST_SENTENCE
from viz.compute import effects, pairs

WIDE = EXAMPLES["too wide"]


def test_the_boards_are_coloured_by_what_moved(open_page: OpenPage) -> None:
    told = head_boards(open_page("lab_pairs", second=WIDE))
    compared = pairs.pair(FIRST_SENTENCE, WIDE)
    for board in told["boards"]:
        moved = compared.moved(board["kind"], 11)  # the row of "it"
        np.testing.assert_allclose(board["shares"], moved, atol=1e-6)
    assert told["shares"]["most"] == pytest.approx(1, abs=0.01)
    assert head_boards(open_page("head"))["shares"] is None
    resting = head_boards(open_page("lab_masks"))  # what the translation loses without each head
    falls = effects.importance(FIRST_SENTENCE, "zero").falls["encoder"]
    np.testing.assert_allclose(resting["boards"][0]["shares"], np.maximum(falls, 0), atol=1e-6)
    masked = head_boards(open_page("lab_masks", edits="lift.d"))
    shares = masked["boards"][1]["shares"]
    effect = effects.effect(FIRST_SENTENCE, (LiftMask("decoder"),))
    np.testing.assert_allclose(shares, effect.moved("decoder"), atol=1e-6)
    assert np.max(shares) > 0.1
