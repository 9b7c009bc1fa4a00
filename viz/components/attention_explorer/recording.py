"""The data of the attention explorer: attention weights, tokens and captions, and no model."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import KINDS, Kind

MAX_TOKENS = 256
"""The most tokens of a side that the explorer draws; up to this limit, the pointer is quick."""

Weights = NDArray[np.float32]


@dataclass(frozen=True)
class Start:
    """The view to open on, 0-based: a kind, the layer and head of each kind, and perhaps a query.

    With `words`, pieces are merged into words at first.
    """

    kind: Kind
    heads: Mapping[Kind, tuple[int, int]]
    query: int | None = None
    words: bool = False


@dataclass(frozen=True, eq=False)
class ExplorerRecording:
    """Weights (L, H, query, key) of each kind of attention, and their tokens.

    Kinds may differ in layers and heads. A kind that the model lacks is None, or has the shape
    (0, 0, query, key).

    `predicted_tokens[t]` is the piece that the decoder writes at row t, after `target_tokens[t]`;
    they are empty if unknown. `special_tokens` (begin, end, padding) can be hidden by a reader.
    `sentence`, `translation` and `checkpoint` are for captions; a translation of None is not shown.
    `languages` are the codes of source and target, None if unknown. `offers` are links of the app
    that the browser completes: "head" has links for the chosen head, "compare" a link to a
    comparison with another sentence; None outside the app. `masked` has the places of the source
    that are masked out. Without a `start`, the explorer opens on the sharpest heads. `other` is the
    recording of another sentence, for a comparison. `lengths` are those of the values of each kind,
    (L, H, key), None where they are unknown.

    Raises ValueError when the shapes do not fit the tokens, a side is too long, or there are no
    weights at all.
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
    offers: Mapping[str, object] | None = None
    masked: frozenset[int] = frozenset()
    start: Start | None = None
    other: "ExplorerRecording | None" = None
    lengths: Mapping[Kind, Weights] | None = None

    def __post_init__(self) -> None:
        """Check the number of tokens and the shapes of the weights."""
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
                f"the explorer draws at most {MAX_TOKENS} a side; in a notebook, queries= and "
                "keys= choose which, such as keys=range(1, 101)"
            )
        shape = self.weights(kind).shape
        if len(shape) != 4:
            raise ValueError(f"{kind}: four axes expected, (L, H, query, key), not {shape}")
        sizes = {"layer": None, "head": None, "query": len(queries), "key": len(keys)}
        for axis, (name, length) in enumerate(sizes.items()):
            if shape[axis] == 0 or length not in (None, shape[axis]):
                expected = "1 or more" if length is None else f"{length}, as many as tokens,"
                raise ValueError(
                    f"{kind}: axis {axis} ({name}) expected to be {expected} not {shape[axis]}: "
                    f"{shape}"
                )
        values = (*shape[:2], shape[3])
        if self.lengths is not None and self.lengths[kind].shape != values:
            raise ValueError(f"{kind}: lengths of values expected, {values}")

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
        weights = {"encoder": self.encoder, "decoder": self.decoder, "cross": self.cross}[kind]
        return None if weights is None or weights.shape[:2] == (0, 0) else weights
