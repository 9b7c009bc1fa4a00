"""The heads that are off, each with the sign of how: every picture of a head shows it."""

from collections.abc import Iterable, Mapping

from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutSublayer, SkipLayer
from model.interventions.heads import AblateHead, Mode
from model.sites.sites import Head, Kind, Sublayer
from model.transformer.config import ModelConfig

SIGNS: dict[Mode, str] = {"zero": "0", "mean": "x̄", "uniform": "="}
"""The sign on the picture of a head that is off."""

LEFT_OUT = "✕"
"""The sign of a head whose whole attention or layer is left out."""


def off_heads(interventions: Iterable[Intervention], config: ModelConfig) -> Mapping[Head, str]:
    """Return the heads that interventions switch off, with their signs."""
    found: dict[Head, str] = {}
    for one in interventions:
        if isinstance(one, AblateHead):
            found[Head(one.kind, one.layer, one.head)] = SIGNS[one.mode]
        elif isinstance(one, SkipLayer | LeaveOutSublayer):
            for kind in _kinds_left_out(one):
                found |= {Head(kind, one.layer, head): LEFT_OUT for head in range(config.heads)}
    return found


def _kinds_left_out(one: SkipLayer | LeaveOutSublayer) -> tuple[Kind, ...]:
    """Return the kinds of attention that a change leaves out of its layer."""
    if isinstance(one, SkipLayer):
        return ("encoder",) if one.stack == "encoder" else ("decoder", "cross")
    own: dict[Sublayer, tuple[Kind, ...]] = {"self_attn": (one.stack,), "cross_attn": ("cross",)}
    return own.get(one.sublayer, ())
