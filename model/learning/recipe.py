"""The settings of a descent, as frozen data, and their bounds."""

from dataclasses import dataclass
from typing import Literal

SMOOTHING, CLIP, WEIGHT_DECAY, EMBEDDING_RATE, SEED = 0.1, 1.0, 0.01, 0.15, 0
"""The settings that a descent takes from the training run; these are their defaults."""

Optimizer = Literal["plain", "run"]
Start = Literal["trained", "fresh"]
OPTIMIZERS: tuple[Optimizer, ...] = ("plain", "run")
STARTS: tuple[Start, ...] = ("trained", "fresh")

MOST_STEPS, MOST_PIECES, SECONDS = 20, 40, 4.0
"""The limits of a descent: steps, pieces a side, and the seconds of computing."""


@dataclass(frozen=True)
class Recipe:
    """The settings of a descent: `steps` at `rate`, and the weights that it starts from.

    "plain" is w - rate x gradient. "run" uses the optimizers of the trained model's run, Muon and
    AdamW, without the momentum of their past. "fresh" starts from seeded random weights instead of
    the trained ones. Raises ValueError when a value is beyond its bounds.
    """

    steps: int = 5
    rate: float = 0.1
    optimizer: Optimizer = "plain"
    start: Start = "trained"
    smoothing: float = SMOOTHING
    clip: float = CLIP

    def __post_init__(self) -> None:
        """Check every value."""
        if not 1 <= self.steps <= MOST_STEPS:
            raise ValueError(f"steps must be 1 to {MOST_STEPS}, not {self.steps}")
        if not 0 < self.rate <= 100:
            raise ValueError(f"rate must be above 0 and at most 100, not {self.rate}")
        if self.optimizer not in OPTIMIZERS:
            raise ValueError(f"optimizer must be one of {OPTIMIZERS}, not {self.optimizer!r}")
        if self.start not in STARTS:
            raise ValueError(f"start must be one of {STARTS}, not {self.start!r}")
