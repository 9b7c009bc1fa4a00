"""Everything that decides the outcome of a training run, as frozen data."""

from dataclasses import asdict, dataclass, field

from model.config import ModelConfig


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a run; they stand in its log and in the card of the checkpoint it made.

    Raises ValueError when a share is not below one or a count is negative.
    """

    config: ModelConfig = field(default_factory=ModelConfig)
    steps: int = 7000
    tokens: int = 2000
    peak: float = 1.5e-3
    warmup: int = 400
    decay: int = 2800
    dropout: float = 0.1
    smoothing: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    join: float = 0.25
    generated: float = 0.09
    seed: int = 0

    def __post_init__(self) -> None:
        """Check what would fail late."""
        for name in ("dropout", "smoothing", "join", "generated"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(
                    f"{name} must be at least 0 and below 1, not {getattr(self, name)}"
                )
        for name in ("steps", "tokens", "warmup", "decay"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative, but is {getattr(self, name)}")

    @property
    def longest(self) -> int:
        """The longest side of a pair, in tokens, that fits into the model and into a batch."""
        return min(self.config.max_length, self.tokens)

    def to_dict(self) -> dict[str, object]:
        """Return the settings by name, ready for JSON."""
        return asdict(self)
