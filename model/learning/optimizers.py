"""Optimizers on two weights, each step written out; and the first steps on a real matrix.

The rules are torch.optim's, with its defaults. Weight decay is decoupled, as in AdamW (Loshchilov
and Hutter, arXiv 1711.05101): w is multiplied by 1 - rate x decay, whatever the gradient is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from model.learning.cross_entropy import smoothed_cross_entropy
from model.learning.dropout import twin_of
from model.learning.example import batch, frozen
from model.learning.muon import orthogonalized
from model.transformer.transformer import Transformer

Pair = NDArray[np.float64]
Rule = Literal["plain", "momentum", "adagrad", "rmsprop", "adam"]
RULES: tuple[Rule, ...] = ("plain", "momentum", "adagrad", "rmsprop", "adam")

MOMENTUM, SMOOTHED = 0.9, 0.99
"""The share of the past that momentum keeps, and the share of the squares that RMSProp keeps."""


@dataclass(frozen=True)
class Settings:
    """The settings of a walk; `corrected` is Adam's division by 1 - beta^t.

    Raises ValueError when a number is out of its range.
    """

    rate: float = 0.1
    decay: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    corrected: bool = True

    def __post_init__(self) -> None:
        """Check every number."""
        if not (self.rate > 0 and self.decay >= 0 and self.epsilon > 0):
            raise ValueError(f"rate and epsilon must be above 0 and decay at least 0: {self}")
        if not (0 <= self.beta1 < 1 and 0 <= self.beta2 < 1):
            raise ValueError(f"betas must be at least 0 and below 1: {self.beta1}, {self.beta2}")


@dataclass(frozen=True, eq=False)
class Walk:
    """T steps on two weights: `weights` (T + 1, 2), and for each step (T, 2) its causes.

    `first` and `second` are the running means m and v as the rule uses them, corrected or not, and
    zero in rules without them. `steps` is the change of the weights, decay included.
    """

    weights: Pair
    gradients: Pair
    first: Pair
    second: Pair
    steps: Pair


def gradient(weights: Pair, steep: float) -> Pair:
    """Return the gradient (..., 2) of `loss`."""
    return weights * np.array([1.0, steep])


def loss(weights: Pair, steep: float) -> NDArray[np.float64]:
    """Return a valley's height (...): (x^2 + steep y^2) / 2 at weights (..., 2)."""
    return 0.5 * (weights**2 @ np.array([1.0, steep]))


def walk(rule: Rule, start: Sequence[float], steep: float, count: int, settings: Settings) -> Walk:
    """Take `count` steps down the valley from two weights; ValueError for an unknown rule."""
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, not {rule!r}")
    w = np.array(start, np.float64)
    m, v = np.zeros(2), np.zeros(2)
    rows: list[tuple[Pair, ...]] = []
    for number in range(1, count + 1):
        g = gradient(w, steep)
        m, v = _means(rule, g, m, v, settings)
        by = settings if rule == "adam" and settings.corrected else None
        m_hat = m / (1 - by.beta1**number) if by else m
        v_hat = v / (1 - by.beta2**number) if by else v
        step = -settings.rate * (_direction(rule, g, m_hat, v_hat, settings) + settings.decay * w)
        rows.append((w, g, m, v, step))
        w = w + step
    before, gradients, first, second, steps = (np.array(part) for part in zip(*rows, strict=True))
    return Walk(np.vstack([before, w]), gradients, first, second, steps)


def _means(rule: Rule, g: Pair, m: Pair, v: Pair, settings: Settings) -> tuple[Pair, Pair]:
    """Return both running means after a gradient; Adagrad has a sum."""
    if rule == "momentum":
        return MOMENTUM * m + g, v
    if rule == "adagrad":
        return m, v + g**2
    if rule == "rmsprop":
        return m, SMOOTHED * v + (1 - SMOOTHED) * g**2
    if rule == "adam":
        b1, b2 = settings.beta1, settings.beta2
        return b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g**2
    return m, v


def _direction(rule: Rule, g: Pair, m: Pair, v: Pair, settings: Settings) -> Pair:
    """Return the vector that the rate multiplies."""
    if rule in ("plain", "momentum"):
        return g if rule == "plain" else m
    epsilon = 1e-10 if rule == "adagrad" else settings.epsilon  # as torch has it
    return (m if rule == "adam" else g) / (np.sqrt(v) + epsilon)


@dataclass(frozen=True, eq=False)
class MatrixSteps:
    """Singular values (n,) of a matrix's gradient and of its first steps, largest first."""

    gradient: NDArray[np.float32]
    adam: NDArray[np.float32]
    muon: NDArray[np.float32]


def matrix_steps(
    model: Transformer, source_ids: Sequence[int], target_ids: Sequence[int], name: str
) -> MatrixSteps:
    """Return a matrix's gradient on a pair, and the first steps of Adam and Muon by it.

    The model stays unchanged. Adam's first step is the rate times the sign of every number. Muon's
    is the gradient with all singular values near 1. Raises ValueError when there is no such matrix.
    """
    twin = twin_of(model, 0.0).eval().requires_grad_(False)
    named = dict(twin.named_parameters())
    if name not in named or named[name].dim() != 2:
        raise ValueError(f"the model has no matrix {name!r}")
    matrix = named[name].requires_grad_(True)
    source, inputs, targets = batch(source_ids, target_ids)
    logits = twin(source, inputs)[0]  # T V
    value = smoothed_cross_entropy(logits, targets, 0.0, model.config.pad_id)
    (slope,) = torch.autograd.grad(value, matrix)
    matrices = slope, slope.sign(), orthogonalized(slope, torch.float32)
    return MatrixSteps(*(frozen(torch.linalg.svdvals(values)) for values in matrices))
