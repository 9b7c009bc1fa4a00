"""The attention of one query, set by hand. B is the batch, H the heads, T queries, S keys."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from torch import Tensor

from model.interventions.base import Intervention, Sizes, check_head
from model.interventions.fields import FACTORS, KIND, PLACE
from model.interventions.message import Message, piece_named
from model.sites.sites import Kind, attention_site
from model.sites.tap import Edit
from model.transformer.config import ModelConfig

TOLERANCE = 1e-3
"""The allowed distance of the sum of weights from 1: they are divided by it."""


@dataclass(frozen=True)
class SetAttention(Intervention):
    """Give one query of one head these weights over its keys, in place of the softmax.

    There is one weight for each piece of the source; in the decoder, one for each row up to the
    query. Padding and later rows get none.
    """

    kind: Kind
    layer: int
    head: int
    query: int
    weights: tuple[float, ...]
    stage = 2
    names_pieces = True
    names = ("look",)
    fields = (KIND, PLACE, PLACE, PLACE, FACTORS)

    @property
    def words(self) -> Message:
        """Name the query and the key it now looks at most, by their numbers."""
        return self._words(())

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Name them by their pieces where those are of the source."""
        return group[0]._words(source)

    def _words(self, source: Sequence[str]) -> Message:
        query = piece_named(self.query, source if self.kind == "encoder" else ())
        head = (self.kind, self.layer, self.head)
        # Weights of four decimals are made to sum to 1: one of them takes the rounding errors.
        if max(self.weights, default=0) - min(self.weights, default=0) <= 1e-4 * len(self.weights):
            return Message("{head}: {query} looks at all keys alike", head=head, query=query)
        most = max(range(len(self.weights)), key=self.weights.__getitem__)
        return Message(
            "{head}: {query} looks as set, most at {key}",
            head=head,
            query=query,
            key=piece_named(most, () if self.kind == "decoder" else source),
        )

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the head or query does not exist, or the weights do not fit it."""
        check_head(self.kind, self.layer, self.head, sizes.config)
        queries, _ = sizes.grid(self.kind)
        if not 0 <= self.query < queries:
            raise ValueError(f"no query {self.query}: there are {queries}")
        possible = all(math.isfinite(one) and one >= 0 for one in self.weights)
        if not possible or abs(sum(self.weights) - 1) > TOLERANCE:
            raise ValueError("weights must be 0 or more, and 1 together")
        keys = self.query + 1 if self.kind == "decoder" else sizes.lengths and sizes.lengths.source
        if keys and len(self.weights) != keys:
            raise ValueError(f"{keys} weights expected, one a key, got {len(self.weights)}")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Write the row into the weights."""

        def edit(weights: Tensor) -> Tensor:  # B H T S
            if self.query >= weights.size(-2):
                return weights
            changed = weights.clone()
            row = weights.new_tensor(self.weights) / sum(self.weights)  # S
            changed[:, self.head, self.query] = 0
            changed[:, self.head, self.query, : len(row)] = row
            return changed

        return [(attention_site(self.kind, self.layer, "weights"), edit)]

    @property
    def target_pieces(self) -> int:
        """Return how long the target must be for the query to exist."""
        return 1 if self.kind == "encoder" else self.query + 1
