"""The sizes of a Transformer, as frozen data."""

from dataclasses import asdict, dataclass, fields
from typing import ClassVar, Self

LARGEST = {
    "vocab_size": 1_000_000,
    "d_model": 8192,
    "heads": 256,
    "d_ff": 65_536,
    "encoder_layers": 128,
    "decoder_layers": 128,
    "max_length": 16_384,
}
"""Far beyond any model that can be looked at; without limits a damaged config fills the memory."""


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of an encoder-decoder Transformer ("Attention Is All You Need", table 3).

    Raises ValueError when a size is not a positive whole number or is beyond `LARGEST`, or when the
    heads do not divide d_model.
    """

    kind: ClassVar[str] = "transformer"
    embedding: ClassVar[None] = None  # its own, not that of another checkpoint

    vocab_size: int = 8000
    d_model: int = 256
    heads: int = 8
    d_ff: int = 1024
    encoder_layers: int = 6
    decoder_layers: int = 6
    max_length: int = 256
    pad_id: int = 0
    begin_id: int = 1
    end_id: int = 2

    def __post_init__(self) -> None:
        """Check every size."""
        for field in fields(self):
            value = getattr(self, field.name)
            smallest = 0 if field.name.endswith("_id") else 1
            if type(value) is not int or value < smallest:
                raise ValueError(f"{field.name} must be an integer >= {smallest}, not {value!r}")
            if value > (largest := LARGEST.get(field.name, value)):
                raise ValueError(f"{field.name} must be at most {largest:,}, not {value:,}")
        if self.d_model % self.heads or self.d_model % 2:
            raise ValueError(
                f"d_model must be even and divisible by heads, not {self.d_model} / {self.heads}"
            )
        if max(self.pad_id, self.begin_id, self.end_id) >= self.vocab_size:
            raise ValueError(f"special ids must be below vocab_size={self.vocab_size}")

    @property
    def d_k(self) -> int:
        """Width of one head, d_model / heads."""
        return self.d_model // self.heads

    def to_dict(self) -> dict[str, int]:
        """Return the sizes by name, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, int]) -> Self:
        """Build a config from `to_dict`'s result; ValueError names missing or unknown sizes."""
        names = {field.name for field in fields(cls)}
        if wrong := names.symmetric_difference(values):
            raise ValueError(f"config: missing or unknown sizes {sorted(wrong)}")
        return cls(**values)
