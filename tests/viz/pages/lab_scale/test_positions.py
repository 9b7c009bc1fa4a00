import pytest

from model.interventions.base import Intervention
from model.interventions.positions import (
    HoldPosition,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from viz.pages.lab_scale.positions import Positions, changes, positions_of


@pytest.mark.parametrize(
    ("wanted", "edit"),
    [
        (Positions("zeroed"), ScalePositions("encoder", 0.0)),
        (Positions("scaled", 0.5), ScalePositions("encoder", 0.5)),
        (Positions("shuffled", 3), ShufflePositions("encoder", 3)),
        (Positions("shifted", -2), ShiftPositions("encoder", -2)),
        (Positions("repeated", 4), RepeatPosition("encoder", 4)),
        (Positions("held"), HoldPosition("encoder")),
    ],
)
def test_positions_are_set_read_and_put_back(wanted: Positions, edit: Intervention) -> None:
    assert changes("encoder", wanted) == [edit]
    assert positions_of((ShiftPositions("decoder", 4), edit), "encoder").choice == wanted.choice
    assert changes("encoder", Positions("trained")) == []


def test_two_things_at_once_are_no_choice() -> None:
    both = (RepeatPosition("encoder", 1), ShiftPositions("encoder", 1))
    assert positions_of(both, "encoder").choice is None
    assert positions_of(both, "decoder").choice == "trained"
