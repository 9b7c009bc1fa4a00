"""Everything that decides the outcome of a training run, as frozen data."""

from dataclasses import asdict, dataclass, field

from model.config import ModelConfig


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a run; they stand in its log and in the card of the checkpoint it made."""

    config: ModelConfig = field(default_factory=ModelConfig)
    steps: int = 15000
    tokens: int = 2000
    peak: float = 4e-3
    warmup: int = 400
    decay: int = 5000
    dropout: float = 0.1
    smoothing: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    join: float = 0.1
    generated: float = 0.08
    seed: int = 0

    def to_dict(self) -> dict[str, object]:
        """Return the settings by name, ready for JSON."""
        return asdict(self)
