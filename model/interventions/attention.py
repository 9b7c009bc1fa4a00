"""The attention of one query, set by hand. B is the batch, H the heads, T queries, S keys."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from model.interventions.base import Intervention, Sizes, UnreachableQuery, check_head
from model.interventions.fields import FACTORS, HEADS, KIND, PIECES, PLACE
from model.interventions.message import Message, in_layer, piece_named, query_named, several
from model.sites.sites import Kind, attention_site, check_place
from model.sites.tap import Edit
from model.transformer.config import ModelConfig

TOLERANCE = 1e-3
"""The allowed distance from 1 of the sum of weights, which are then divided by their sum."""


@dataclass(frozen=True)
class SetAttention(Intervention):
    """Give one query of one head these weights over its keys, in place of the softmax.

    Args:
        kind: "encoder", "decoder" or "cross".
        layer: the layer, from 0.
        head: the head in its layer, from 0.
        query: the row, from 0.
        weights: one for each piece of the source or, in the decoder, for each row up to the query.
            Padding and later rows get no weight.

    Raises:
        ValueError: when it is used, if there is no such head or query, if the number of weights is
            wrong, or if they are below 0 or do not sum to 1.

    >>> text = "The cat is sleeping."
    >>> weights = (1.0,) + (0.0,) * (len(translator.source(text).ids) - 1)
    >>> change = SetAttention("encoder", 5, 3, query=2, weights=weights)
    >>> float(translator.record(text, interventions=[change]).attention("encoder")[5, 3, 2, 0])
    1.0

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
        """Describe the change by the numbers of the query and the key that it now looks at most."""
        return self._words(())

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Describe the change, with pieces in place of numbers where they belong to the source."""
        return group[0]._words(source)

    def _words(self, source: Sequence[str]) -> Message:
        query = query_named(self.kind, self.query, source)
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
        """Raise ValueError when the head or query does not exist, or its weights do not fit."""
        check_head(self.kind, self.layer, self.head, sizes.config)
        queries, _ = sizes.grid(self.kind)
        check_place("query", self.query, queries)
        possible = all(math.isfinite(weight) and weight >= 0 for weight in self.weights)
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


@dataclass(frozen=True)
class TurnAttention(Intervention):
    """Make one query look only at these keys, and equally at each, in some heads of a kind.

    All other links of the query are forbidden. Masks come afterwards: a hidden key stays hidden.

    In the decoder and in cross-attention, the query is the row of a step: row n reads piece n of
    the target and predicts the next piece. Earlier rows stay as they are, so greedy decoding writes
    the same pieces up to that step, unless another intervention changes them. A row always means
    the same step, whatever is written there.

    Args:
        kind: "encoder", "decoder" or "cross".
        query: the row, from 0.
        keys: the keys, from 0, in rising order.
        heads: pairs of a layer and a head, both from 0, with None for all heads of the layer; an
            empty tuple means all heads of the kind.

    Raises:
        ValueError: when it is used, if a head, the query or a key does not exist or is masked.

    >>> change = TurnAttention("encoder", query=2, keys=(0, 1))
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> recording.attention("encoder")[5, 3, 2, :3].tolist()
    [0.5, 0.5, 0.0]

    """

    kind: Kind
    query: int
    keys: tuple[int, ...]
    heads: tuple[tuple[int, int | None], ...] = ()
    stage = 2
    names_pieces = True
    names = ("turn",)
    fields = (KIND, PLACE, PIECES, HEADS)

    @property
    def words(self) -> Message:
        """Describe the change by the numbers of the query and of the keys."""
        return self._words((), None)

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:
        """Describe the change, with pieces in place of numbers where they belong to the source."""
        return group[0]._words(source, config)

    def _words(self, source: Sequence[str], config: ModelConfig | None) -> Message:
        query = query_named(self.kind, self.query, source)
        return Message(
            "{place}: {query} looks at {keys}",
            place=self._place(config),
            query=query,
            keys=self._looked_at(() if self.kind == "decoder" else source),
        )

    def _place(self, config: ModelConfig | None) -> Message:
        layers = sorted({layer for layer, _ in self.heads})
        whole_layers = all(head is None for _, head in self.heads)
        if whole_layers and (not layers or (config and len(layers) == config.layers(self.kind))):
            return Message("{kind}, all heads", kind=self.kind)
        if not whole_layers and len(self.heads) > 1:
            return Message("{kind}, some heads", kind=self.kind)
        (layer, head), *more = self.heads
        if head is not None:
            return Message("{head}", head=(self.kind, layer, head))
        if not more:
            return in_layer(self.kind, layer)
        named = several(Message("layer {numbers}"), Message("layers {numbers}"), layers)
        return Message("{kind} {layers}", kind=self.kind, layers=named)

    def _looked_at(self, tokens: Sequence[str]) -> Message | int:
        """Return the text of neighbouring keys as one word; for other keys, their numbers."""
        first, last = self.keys[0], self.keys[-1]
        if len(self.keys) == 1:
            return piece_named(first, tokens)
        neighbours = self.keys == tuple(range(first, last + 1))
        if neighbours and last < len(tokens):
            return Message("“{word}”", word=tuple(tokens[first : last + 1]))
        return Message("{numbers}", numbers=", ".join(str(key + 1) for key in self.keys))

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when a head, the query or a key does not exist or cannot be seen."""
        for layer, head in self.heads:
            check_head(self.kind, layer, head, sizes.config)
        queries, keys = sizes.grid(self.kind)
        check_place("query", self.query, queries)
        if not self.keys or list(self.keys) != sorted(set(self.keys)):
            raise ValueError(f"at least one key expected, rising and each once, not {self.keys}")
        if self.kind == "decoder":
            keys = self.query + 1
        elif sizes.lengths:
            keys = sizes.lengths.source  # padding is hidden
        for key in self.keys:
            check_place("key", key, keys)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Edit the scores of every layer that has one of the heads."""
        layers = range(sizes.config.layers(self.kind))
        of_layer = {layer: [head for at, head in self.heads if at == layer] for layer in layers}
        heads_of = {
            layer: None if None in of else tuple(of) for layer, of in of_layer.items() if of
        }
        heads_of = heads_of if self.heads else dict.fromkeys(layers)
        edit = {heads: self._turned(heads) for heads in heads_of.values()}
        return [
            (attention_site(self.kind, layer, "scores"), edit[heads])
            for layer, heads in heads_of.items()
        ]

    def _turned(self, heads: tuple[int | None, ...] | None) -> Edit:
        """Return the edit of scores for these heads of a layer (None: all)."""
        turned_heads = slice(None) if heads is None else list(heads)

        def edit(scores: Tensor) -> Tensor:  # B H T S
            if self.query >= scores.size(-2):
                return scores
            keys = list(self.keys)
            turned = scores.clone()
            row = turned[:, :, self.query]  # B H S
            looked = torch.full_like(row, -torch.inf)
            looked[..., keys] = row[..., keys].masked_fill(row[..., keys].isfinite(), 0)
            row[:, turned_heads] = looked[:, turned_heads]
            return turned

        return edit

    @property
    def target_pieces(self) -> int:
        """Return how long the target must be for the query to exist; its keys come before it."""
        return 1 if self.kind == "encoder" else self.query + 1

    def forbids(self, query: UnreachableQuery) -> bool:
        """Return True for the turned query in one of the heads: its other keys are forbidden."""
        heads = ((query.layer, None), (query.layer, query.head))
        return (self.kind, self.query) == (query.kind, query.query) and (
            not self.heads or any(head in self.heads for head in heads)
        )
