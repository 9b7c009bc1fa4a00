"""What the browser sends from the boards on which a head is chosen."""

import pytest

from model.recording.sites import Kind
from viz.components.head_picker import read

LAYERS: dict[Kind, int] = {"encoder": 2, "cross": 3}


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({"kind": "cross", "layer": 2, "head": 3}, ("cross", 2, 3)),
        ({"kind": "encoder", "layer": 1.0, "head": 0}, ("encoder", 1, 0)),
        ({"kind": "encoder"}, ("encoder", None, None)),
    ],
)
def test_a_press_names_a_head_or_another_kind(sent: object, found: object) -> None:
    assert read(sent, LAYERS, 4) == found


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "cross",
        {},
        {"kind": "sideways"},
        {"kind": ["cross"], "layer": 0, "head": 0},
        {"kind": "decoder", "layer": 0, "head": 0},
        {"kind": "encoder", "layer": 2, "head": 0},
        {"kind": "cross", "layer": 0, "head": 4},
        {"kind": "cross", "layer": -1, "head": 0},
        {"kind": "cross", "layer": 0},
        {"kind": "cross", "layer": 0, "head": float("nan")},
    ],
)
def test_what_this_model_has_not_is_refused(sent: object) -> None:
    assert read(sent, LAYERS, 4) is None
