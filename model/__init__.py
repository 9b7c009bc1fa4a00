"""A small encoder-decoder Transformer whose every number can be seen and changed."""

from model.decoding.beam import Beam
from model.decoding.greedy import Greedy
from model.decoding.sampling import Sampling
from model.interventions.attention import SetAttention, TurnAttention
from model.interventions.base import Intervention
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutReLU,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
    ZeroUnit,
)
from model.interventions.heads import AblateHead
from model.interventions.masks import (
    BlockAttention,
    HideSource,
    InvertMask,
    LiftMask,
    PadSource,
    Window,
)
from model.interventions.patches import PatchActivation
from model.interventions.positions import (
    HoldPosition,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.interventions.scale import ClampScores, ScaleScores, Unscale
from model.interventions.sharing import ShareKeysValues, TieQueries
from model.recording.recording import Recording
from model.results import Run, Step, Translation
from model.sites.sites import Head, head
from model.translator import Translator, load_translator

__all__ = [
    "AblateHead",
    "Beam",
    "BlockAttention",
    "ClampScores",
    "Greedy",
    "Head",
    "HideSource",
    "HoldPosition",
    "Intervention",
    "InvertMask",
    "LeaveOutNorm",
    "LeaveOutReLU",
    "LeaveOutResidual",
    "LeaveOutSublayer",
    "LiftMask",
    "PadSource",
    "PatchActivation",
    "Recording",
    "RepeatPosition",
    "Run",
    "Sampling",
    "ScalePositions",
    "ScaleScores",
    "SetAttention",
    "ShareKeysValues",
    "ShiftPositions",
    "ShufflePositions",
    "SkipLayer",
    "Step",
    "TieQueries",
    "Translation",
    "Translator",
    "TurnAttention",
    "Unscale",
    "Window",
    "ZeroUnit",
    "head",
    "load_translator",
]
