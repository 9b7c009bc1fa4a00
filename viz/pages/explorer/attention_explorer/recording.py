"""What the attention explorer draws: attention weights and token strings, and nothing else."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.recording.sites import KINDS, Kind

MAX_TOKENS = 128
"""The longest side the explorer draws; hovering stays quick up to here."""


@dataclass(frozen=True, eq=False)
class ExplorerRecording:
    """Weights (L, H, query, key) of each kind and the tokens they are about.

    They are (0, 0, query, key) where the model has none of a kind.
    `predicted_tokens[t]` is what the decoder predicts at row t, after `target_tokens[t]`.
    `special_tokens` are the names (begin, end, padding) that a reader may hide. `sentence`,
    `translation` and `checkpoint` are for captions. Encoder and decoder may differ in layers
    and heads. Raises ValueError when the shapes do not fit the tokens, a side is too long or no
    kind is there.
    """

    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    predicted_tokens: tuple[str, ...]
    encoder: NDArray[np.float32]
    decoder: NDArray[np.float32]
    cross: NDArray[np.float32]
    special_tokens: frozenset[str]
    sentence: str
    translation: str
    checkpoint: str

    def __post_init__(self) -> None:
        """Check lengths and shapes."""
        if len(self.predicted_tokens) != len(self.target_tokens):
            raise ValueError(
                f"{len(self.predicted_tokens)} predicted tokens for "
                f"{len(self.target_tokens)} target tokens: one per row is expected"
            )
        if not self.kinds:
            raise ValueError("there is attention of no kind to draw")
        for kind in self.kinds:
            queries, keys = self.tokens(kind)
            if max(len(queries), len(keys)) > MAX_TOKENS:
                raise ValueError(
                    f"{len(queries)} x {len(keys)} tokens of {kind} attention: "
                    f"the explorer draws at most {MAX_TOKENS} a side"
                )
            expected = (len(queries), len(keys))
            shape = self.weights(kind).shape
            if len(shape) != 4 or shape[2:] != expected or 0 in shape:
                raise ValueError(f"{kind}: expected (L, H, {expected}), not {shape}")

    def tokens(self, kind: Kind) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the query tokens and the key tokens of a kind."""
        queries = self.source_tokens if kind == "encoder" else self.target_tokens
        keys = self.target_tokens if kind == "decoder" else self.source_tokens
        return queries, keys

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds that there are weights of."""
        return tuple(kind for kind in KINDS if len(self.weights(kind)))

    def weights(self, kind: Kind) -> NDArray[np.float32]:
        """Return the weights of a kind, (L, H, query, key)."""
        return {"encoder": self.encoder, "decoder": self.decoder, "cross": self.cross}[kind]
