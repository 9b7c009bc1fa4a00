"""Scores without their division, in the kinds that are asked for."""

from model.interventions.base import Intervention
from model.interventions.masks import LiftMask, PadSource
from model.interventions.scale import Unscale
from viz.pages.lab_scale import scores

OTHER: tuple[Intervention, ...] = (LiftMask("cross"), PadSource(6))


def test_scores_are_left_unscaled_in_exactly_the_kinds_asked_for() -> None:
    edits = scores.set_unscaled((Unscale("encoder"), *OTHER), ["cross", "decoder"])
    assert edits == (*OTHER, Unscale("decoder"), Unscale("cross"))
    assert scores.unscaled(edits) == ["decoder", "cross"]
