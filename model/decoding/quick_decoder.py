"""The decoder of unrecorded decoding: the same arithmetic in as few calls as possible.

With one piece a step, a decoder spends its time on calls and on reading weights instead of
arithmetic. So this decoder has no taps, keeps keys and values in one buffer, and computes in place
where it can. `Transformer.decode` does the same in a form for reading and recording.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from model.transformer.layers import (
    ACTIVATIONS,
    AdditiveAttention,
    DecoderLayer,
    MultiHeadAttention,
    additive_scores,
)
from model.transformer.positional import rotated
from model.transformer.transformer import Transformer

ROOM = 32
"""The number of positions with space at first; the space doubles whenever it is full."""


_Linear = tuple[Tensor, Tensor]
"""A bias and a transposed matrix, ready for `addmm`."""

_Norm = tuple[Sequence[int], Tensor, Tensor, float]
"""The arguments of `torch.layer_norm` after the vector."""


class _Layer(NamedTuple):
    """The weights of a layer, and the memory's keys (H, Dk, S) and values (H, S, Dk)."""

    own: _Linear
    """q, k and v side by side: one call instead of three."""
    own_out: _Linear
    cross_q: _Linear
    cross_out: _Linear
    hidden: _Linear
    out: _Linear
    norms: tuple[_Norm, ...]
    keys: Tensor
    values: Tensor
    own_vector: Tensor | None
    """The vectors v (H, Dk) of additive scores; None for dot products."""
    cross_vector: Tensor | None


class QuickDecoder:
    """Scores what follows N prefixes over one memory, and keeps their keys and values."""

    def __init__(self, model: Transformer, memory: Tensor, memory_mask: Tensor) -> None:
        """Read one memory (1, S, D) with its mask (1, 1, S)."""
        config = model.config
        self.length, self.rows, self.longest = 0, 0, config.max_length
        self._model, self._heads, self._d_k = model, config.heads, config.d_k
        self._activation = ACTIVATIONS[config.variant.activation]
        self._turns = config.positions == "rotary"
        self._layers = [
            _laid_out(layer, memory, config.heads)
            for layer in model.decoder.layers
            if isinstance(layer, DecoderLayer)
        ]
        self._hidden = None if bool(memory_mask.all()) else ~memory_mask[0]  # 1 S
        self._kept = memory.new_empty(0)  # L 2 N*H P Dk

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return logits (N, T, V) after each of the T new pieces of each prefix.

        The pieces before them came in earlier calls. Raises ValueError beyond the longest prefix.
        """
        count, end = prefixes.shape
        start, self.length = self.length, end
        self._make_room(count, end, start)
        read = self._model.read(prefixes[:, start:], self._model.config.target_embedding)  # N T D
        x = (read * self._model.scale + self._model.positions[start:end]).flatten(0, 1)  # N*T D
        later = None
        if end - start > 1:  # no new piece looks at a later piece
            later = torch.ones(end - start, end, dtype=torch.bool, device=x.device).triu(start + 1)
        for layer, kept in zip(self._layers, self._kept, strict=True):
            attended = self._own(layer, x, kept, start, later)  # N*T D
            x = torch.layer_norm(attended.add_(x), *layer.norms[0])
            x = torch.layer_norm(self._cross(layer, x).add_(x), *layer.norms[1])
            hidden = self._activation(_linear(layer.hidden, x))  # N*T F
            fed = _linear(layer.out, hidden)  # N*T D
            x = torch.layer_norm(fed.add_(x), *layer.norms[2])
        return self._model.output(x).unflatten(0, (count, -1))  # N T V

    def _own(
        self, layer: _Layer, x: Tensor, kept: Tensor, start: int, later: Tensor | None
    ) -> Tensor:
        """Let new pieces (N*T, D) look at all pieces up to themselves; keep keys and values."""
        all_three = _linear(layer.own, x).view(self.rows, -1, 3, self._heads, self._d_k)
        all_three = all_three.permute(2, 0, 3, 1, 4).flatten(1, 2)  # 3 N*H T Dk
        if self._turns:
            all_three[:2] = rotated(all_three[:2], start)
        q = all_three[0]  # N*H T Dk
        kept[:, :, start : self.length] = all_three[1:]
        keys, values = kept[:, :, : self.length]  # N*H P Dk
        scores = self._scores(q, keys.mT, layer.own_vector)  # N*H T P
        if later is not None:
            scores.masked_fill_(later, -torch.inf)
        z = torch.bmm(scores.softmax(dim=-1), values)  # N*H T Dk
        z = z.view(self.rows, self._heads, -1, self._d_k).transpose(1, 2)  # N T H Dk
        return _linear(layer.own_out, z.reshape(len(x), -1))

    def _cross(self, layer: _Layer, x: Tensor) -> Tensor:
        """Let pieces (N*T, D) look at the memory, which all prefixes share."""
        q = _linear(layer.cross_q, x).view(len(x), self._heads, -1)  # N*T H Dk
        scores = self._scores(q.transpose(0, 1), layer.keys, layer.cross_vector)  # H N*T S
        if self._hidden is not None:
            scores.masked_fill_(self._hidden, -torch.inf)
        z = torch.bmm(scores.softmax(dim=-1), layer.values)  # H N*T Dk
        return _linear(layer.cross_out, z.transpose(0, 1).reshape(len(x), -1))

    def _scores(self, q: Tensor, keys: Tensor, vector: Tensor | None) -> Tensor:
        """Compare queries (N*H, T, Dk) with keys (N*H, Dk, S), of N prefixes or one memory."""
        if vector is None:
            return torch.bmm(q, keys).mul_(1 / math.sqrt(self._d_k))
        return additive_scores(q, keys.mT, vector.repeat(len(q) // self._heads, 1))

    def _make_room(self, rows: int, end: int, start: int) -> None:
        """Make room for the keys and values of `end` pieces of each of `rows` prefixes."""
        if end > self.longest:
            raise ValueError(f"{end} tokens given, at most {self.longest} fit")
        available = self._kept.size(-2) if self._kept.dim() > 1 else 0
        if rows == self.rows and end <= available:
            return
        room = max(ROOM, available)
        while room < end:
            room *= 2
        size = len(self._layers), 2, rows * self._heads, room, self._d_k
        before, self._kept, self.rows = self._kept, self._kept.new_empty(size), rows
        if start:
            self._kept[..., :start, :] = before[..., :start, :]

    def select(self, rows: Tensor | None) -> None:
        """Keep only these prefixes (rows of N), in this order; None drops them all."""
        if rows is None:
            self.length = 0
        elif self.length:
            apart = self._kept.unflatten(2, (self.rows, self._heads))  # L 2 N H P Dk
            rows = rows.to(apart.device)
            self._kept, self.rows = apart.index_select(2, rows).flatten(2, 3), len(rows)

    def cut(self, length: int) -> None:
        """Keep only the first `length` positions."""
        self.length = min(self.length, length)


def _laid_out(layer: DecoderLayer, memory: Tensor, heads: int) -> _Layer:
    own, cross = layer.self_attn, layer.cross_attn
    keys, values = (
        part(memory[0]).unflatten(-1, (heads, -1)).transpose(0, 1)  # H S Dk
        for part in (cross.k, cross.v)
    )
    return _Layer(
        _matrix(own.q, own.k, own.v),
        _matrix(own.out),
        _matrix(cross.q),
        _matrix(cross.out),
        _matrix(layer.ffn.hidden),
        _matrix(layer.ffn.out),
        tuple(map(_norm, (layer.norm1, layer.norm2, layer.norm3))),
        keys.mT,
        values,
        _vector(own),
        _vector(cross),
    )


def _vector(attention: MultiHeadAttention) -> Tensor | None:
    return attention.score_vector if isinstance(attention, AdditiveAttention) else None


def _matrix(first: nn.Linear, *more: nn.Linear) -> _Linear:
    """Lay out one linear map; several maps of one input are copied side by side."""
    if not more:
        return first.bias, first.weight.mT
    maps = first, *more
    return torch.cat([linear.bias for linear in maps]), torch.cat(
        [linear.weight for linear in maps]
    ).mT


def _linear(by: _Linear, x: Tensor) -> Tensor:
    return torch.addmm(by[0], x, by[1])


def _norm(norm: nn.LayerNorm) -> _Norm:
    return norm.normalized_shape, norm.weight, norm.bias, norm.eps
