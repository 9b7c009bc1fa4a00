"""Everything that decides the outcome of a training run, as frozen data."""

from dataclasses import asdict, dataclass, field

from model.families import Config
from model.transformer.config import ModelConfig

SHARES = ("generated", "phrases", "unmarked")  # given for each epoch


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a run; they stand in its log and in the card of the checkpoint it made.

    Three shares are given epoch by epoch, and the last value holds for all later ones: `generated`
    is that of the generated pronoun pairs, `phrases` that of the generated phrases with two
    adjectives, `unmarked` that of the pairs that lose the mark at their end. Embeddings start from
    `vectors.py` and learn at `embedding_rate` times the rate of the rest, so that what they start
    from lasts. `average` is how many saved checkpoints the shipped one is the mean of. Raises
    ValueError when a share is not below one or a count is negative.
    """

    config: Config = field(default_factory=ModelConfig)
    steps: int = 9000
    tokens: int = 2000
    peak: float = 1.8e-3
    embedding_rate: float = 0.15
    warmup: int = 400
    decay: int = 2700
    dropout: float = 0.1
    smoothing: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    join: float = 0.25
    generated: tuple[float, ...] = (0, 0, 0, 0.12, 0.12, 0.12, 0.12, 0.05)
    phrases: tuple[float, ...] = (0,) * 10 + (0.03,)
    unmarked: tuple[float, ...] = (0,) * 10 + (0.05,)
    average: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        """Check what would fail late."""
        shares = {name: (getattr(self, name),) for name in ("dropout", "smoothing", "join")}
        for name in SHARES:
            shares[name] = getattr(self, name)
            if not shares[name]:
                raise ValueError(f"{name} must have a share for at least one epoch")
        for name, values in shares.items():
            for value in values:
                if not 0 <= value < 1:
                    raise ValueError(f"{name} must be at least 0 and below 1, not {value}")
        for epoch in range(max(len(self.generated), len(self.phrases))):
            if in_epoch(self.generated, epoch) + in_epoch(self.phrases, epoch) >= 1:
                raise ValueError(f"generated and phrases leave no room for others in epoch {epoch}")
        for name in ("steps", "tokens", "warmup", "decay"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative, but is {getattr(self, name)}")
        if self.average < 1:
            raise ValueError(f"average must be at least 1, not {self.average}")

    @property
    def longest(self) -> int:
        """The longest side of a pair, in tokens, that fits into the model and into a batch."""
        return min(self.config.max_length, self.tokens)

    def to_dict(self) -> dict[str, object]:
        """Return the settings by name, ready for JSON."""
        return asdict(self)


def in_epoch(shares: tuple[float, ...], epoch: int) -> float:
    """Return the share of an epoch, counted from 0."""
    return shares[min(epoch, len(shares) - 1)]
