"""The data of the attention explorer: attention weights and token strings, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.recording.sites import KINDS, Kind

MAX_TOKENS = 256
"""The longest side the explorer draws; hovering stays quick up to here."""

Weights = NDArray[np.float32]


@dataclass(frozen=True)
class Start:
    """The view to open on, 0-based: a kind, a head of each kind, and perhaps a query.

    `words` tells whether pieces are merged into words at first sight.
    """

    kind: Kind
    heads: Mapping[Kind, tuple[int, int]]
    query: int | None = None
    words: bool = False


@dataclass(frozen=True, eq=False)
class ExplorerRecording:
    """Weights (L, H, query, key) of each kind and their tokens.

    None, or (0, 0, query, key), says that the model has none of a kind.

    `predicted_tokens[t]` is what the decoder writes at row t, after `target_tokens[t]`; none where
    that is not known. `special_tokens` are the names (begin, end, padding) that a reader may
    hide. `sentence`, `translation` and `checkpoint` are for captions; a translation of None is not
    shown. `edits` is what is changed in the model, as the app's links write it; None where nothing
    can be changed. `masked` are the places of the source that nobody may look at. `languages`
    are the codes of source and target, None where they are not known. Without a `start` it opens
    where a head looks at other words. `other` is a sentence that it is compared with. Kinds may
    differ in layers and heads. Raises ValueError when the shapes do not fit the tokens, a side is
    too long or there are no weights.
    """

    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    predicted_tokens: tuple[str, ...]
    encoder: Weights | None
    decoder: Weights | None
    cross: Weights | None
    special_tokens: frozenset[str]
    sentence: str
    translation: str | None
    checkpoint: str
    languages: tuple[str, str] | None = None
    edits: str | None = None
    masked: frozenset[int] = frozenset()
    start: Start | None = None
    other: "ExplorerRecording | None" = None

    def __post_init__(self) -> None:
        """Check lengths and shapes."""
        if len(self.predicted_tokens) not in (0, len(self.target_tokens)):
            raise ValueError(
                f"{len(self.predicted_tokens)} predicted tokens for "
                f"{len(self.target_tokens)} target tokens: one per row is expected"
            )
        if not self.kinds:
            raise ValueError("weights expected of the encoder, the decoder or cross-attention")
        for kind in self.kinds:
            self._check(kind)

    def _check(self, kind: Kind) -> None:
        queries, keys = self.tokens(kind)
        if max(len(queries), len(keys)) > MAX_TOKENS:
            raise ValueError(
                f"{len(queries)} x {len(keys)} tokens of {kind} attention: "
                f"the explorer draws at most {MAX_TOKENS} a side"
            )
        shape = self.weights(kind).shape
        if len(shape) != 4:
            raise ValueError(f"{kind}: four axes expected, (L, H, query, key), not {shape}")
        wanted = {"layer": None, "head": None, "query": len(queries), "key": len(keys)}
        for axis, (name, length) in enumerate(wanted.items()):
            if shape[axis] == 0 or length not in (None, shape[axis]):
                expected = "1 or more" if length is None else f"{length}, as many as tokens,"
                raise ValueError(
                    f"{kind}: axis {axis} ({name}) expected to be {expected} not {shape[axis]}: "
                    f"{shape}"
                )

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds of attention whose weights are recorded."""
        return tuple(kind for kind in KINDS if self._weights(kind) is not None)

    def tokens(self, kind: Kind) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the query tokens and the key tokens of a kind."""
        queries = self.source_tokens if kind == "encoder" else self.target_tokens
        keys = self.target_tokens if kind == "decoder" else self.source_tokens
        return queries, keys

    def weights(self, kind: Kind) -> Weights:
        """Return the weights of a kind, (L, H, query, key); ValueError when there are none."""
        weights = self._weights(kind)
        if weights is None:
            raise ValueError(f"there are no weights of {kind} attention, only of {self.kinds}")
        return weights

    def _weights(self, kind: Kind) -> Weights | None:
        found = {"encoder": self.encoder, "decoder": self.decoder, "cross": self.cross}[kind]
        return None if found is None or found.shape[:2] == (0, 0) else found
