"""The table of all interventions."""

from model.interventions.base import Intervention
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
    ZeroUnit,
)
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, HideSource, LiftMask, PadSource
from model.interventions.positions import (
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.interventions.scale import Unscale

INTERVENTIONS: tuple[type[Intervention], ...] = (
    LiftMask,
    Unscale,
    PadSource,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
    RepeatPosition,
    LeaveOutSublayer,
    LeaveOutResidual,
    LeaveOutNorm,
    SkipLayer,
    ZeroUnit,
    HideSource,
    AblateHead,
    BlockAttention,
)
"""What stands here is read from links, written into them, named on chips and tested."""
