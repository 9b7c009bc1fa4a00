import pytest

from model.interventions.base import Intervention
from model.interventions.positions import (
    HoldPosition,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from viz.pages.lab_scale.positions import Positions, positions_of, set_positions


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
    other = ShiftPositions("decoder", 4)
    edits = set_positions((other, RepeatPosition("encoder", 1)), "encoder", wanted)
    assert edits == (other, edit)
    assert positions_of(edits, "encoder").choice == wanted.choice
    assert set_positions(edits, "encoder", Positions("trained")) == (other,)


def test_two_things_at_once_are_no_choice() -> None:
    both = (RepeatPosition("encoder", 1), ShiftPositions("encoder", 1))
    assert positions_of(both, "encoder").choice is None
    assert positions_of(both, "decoder").choice == "trained"
