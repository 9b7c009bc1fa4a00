"""The heads that are off, each with a sign that says in which way; pictures of heads show it."""

from collections.abc import Iterable, Mapping

from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutSublayer, SkipLayer
from model.interventions.heads import AblateHead, Mode
from model.sites.sites import Head
from model.transformer.config import ModelConfig
from viz.link.offers import kinds_left_out

SIGNS: dict[Mode, str] = {"zero": "0", "mean": "x̄", "uniform": "="}
"""The sign on the picture of a head that is off, by what replaces its output."""

LEFT_OUT = "✕"
"""The sign of a head whose whole attention or layer is left out."""


def off_heads(interventions: Iterable[Intervention], config: ModelConfig) -> Mapping[Head, str]:
    """Return the heads that interventions switch off, with their signs."""
    signs: dict[Head, str] = {}
    for change in interventions:
        if isinstance(change, AblateHead):
            signs[Head(change.kind, change.layer, change.head)] = SIGNS[change.mode]
        elif isinstance(change, SkipLayer | LeaveOutSublayer):
            for kind in kinds_left_out(change):
                signs |= {Head(kind, change.layer, head): LEFT_OUT for head in range(config.heads)}
    return signs
