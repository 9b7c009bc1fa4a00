"""The table of all interventions: one line each."""

from model.interventions import attention, blocks, heads, masks, patches, positions, scale, sharing
from model.interventions.base import Intervention

INTERVENTIONS: tuple[type[Intervention], ...] = (
    masks.LiftMask,
    masks.InvertMask,
    masks.Window,
    scale.Unscale,
    scale.ScaleScores,
    scale.ClampScores,
    masks.PadSource,
    positions.ScalePositions,
    positions.ShiftPositions,
    positions.ShufflePositions,
    positions.RepeatPosition,
    positions.HoldPosition,
    blocks.LeaveOutSublayer,
    blocks.LeaveOutResidual,
    blocks.LeaveOutNorm,
    blocks.SkipLayer,
    blocks.LeaveOutReLU,
    blocks.ZeroUnit,
    masks.HideSource,
    sharing.TieQueries,
    sharing.ShareKeysValues,
    heads.AblateHead,
    attention.SetAttention,
    attention.TurnAttention,
    patches.PatchActivation,
    masks.BlockAttention,
)
"""All kinds; each is read from links, written into links, named on chips and tested."""
