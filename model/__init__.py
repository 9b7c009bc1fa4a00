"""A small encoder-decoder Transformer whose every number can be seen and changed."""

from model.decoding.greedy import Greedy
from model.interventions import AblateHead, BlockAttention, Intervention, LiftMask
from model.recording import Recording
from model.translator import Step, Translation, Translator, load_translator

__all__ = [
    "AblateHead",
    "BlockAttention",
    "Greedy",
    "Intervention",
    "LiftMask",
    "Recording",
    "Step",
    "Translation",
    "Translator",
    "load_translator",
]
