"""The scorer of unrecorded decoding: it keeps keys and values, so each step costs one position."""

import torch
from torch import Tensor

from model.transformer.layers import DecoderLayer
from model.transformer.masks import causal_mask, padding_mask
from model.transformer.transformer import Transformer


class CachedScorer:
    """Scores what follows prefixes (N, T) as `Transformer.decode` does, but incrementally.

    A row that continues a row of the previous call by some pieces costs those pieces only; any
    other call starts afresh. Use one object for one decoding run: it is not shared by threads.
    """

    def __init__(self, model: Transformer, memory: Tensor, memory_mask: Tensor) -> None:
        """Project the memory (1, S, D) to every layer's keys and values, once."""
        self._model = model
        self._memory_mask = memory_mask  # 1 1 S
        self._layers = [_CachedLayer(layer, memory) for layer in _layers(model)]
        self._seen = torch.empty(1, 0, dtype=torch.long)  # M P: the prefixes of the previous call

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of what follows each prefix."""
        rows = self._continued(prefixes)
        start = 0 if rows is None else self._seen.size(1)
        x = self._model.embed(prefixes[:, start:], start=start)  # N T-P D
        causal = causal_mask(prefixes.size(1))[start:]  # T-P T
        mask = padding_mask(prefixes, self._model.config.pad_id) & causal  # N T-P T
        reordered = rows is None or rows.tolist() != list(range(len(self._seen)))
        for layer in self._layers:
            if reordered:
                layer.keep(rows)
            x = layer.extend(x, mask, self._memory_mask)  # N T-P D
        self._seen = prefixes
        return self._model.output(x[:, -1])  # N V

    def _continued(self, prefixes: Tensor) -> Tensor | None:
        """Find the previous row (N,) that each prefix continues; None if one continues none."""
        length = self._seen.size(1)
        if not 0 < length < prefixes.size(1):
            return None
        same = (prefixes[:, None, :length] == self._seen).all(dim=-1)  # N M
        return same.int().argmax(dim=1) if bool(same.any(dim=1).all()) else None


class _CachedLayer:
    """A decoder layer with the keys and values it has computed so far."""

    def __init__(self, layer: DecoderLayer, memory: Tensor) -> None:
        self.layer = layer
        cross = layer.cross_attn
        self._memory_k = cross.split(cross.k(memory))  # 1 H S Dk
        self._memory_v = cross.split(cross.v(memory))  # 1 H S Dk
        self._past: tuple[Tensor, Tensor] | None = None  # N H P Dk each

    def keep(self, rows: Tensor | None) -> None:
        """Keep the past of these rows only, in this order; None forgets it all."""
        if rows is None or self._past is None:
            self._past = None
        else:
            self._past = (self._past[0][rows], self._past[1][rows])

    def extend(self, x: Tensor, mask: Tensor, memory_mask: Tensor) -> Tensor:
        """Map the newest positions x (N, T-P, D) to (N, T-P, D), as `DecoderLayer.forward`."""
        layer, cross = self.layer, self.layer.cross_attn
        x = layer.norm1(x + self._self_attention(x, mask))  # N T-P D
        q = cross.split(cross.q(x))  # N H T-P Dk
        crossed = cross.attend(q, self._memory_k, self._memory_v, memory_mask)  # N T-P D
        x = layer.norm2(x + crossed)  # N T-P D
        return layer.norm3(x + layer.ffn(x))  # N T-P D

    def _self_attention(self, x: Tensor, mask: Tensor) -> Tensor:
        attention = self.layer.self_attn
        k, v = attention.split(attention.k(x)), attention.split(attention.v(x))  # N H T-P Dk
        if self._past is not None:
            k = torch.cat([self._past[0], k], dim=2)  # N H T Dk
            v = torch.cat([self._past[1], v], dim=2)  # N H T Dk
        self._past = (k, v)
        return attention.attend(attention.split(attention.q(x)), k, v, mask)  # N T-P D


def _layers(model: Transformer) -> list[DecoderLayer]:
    return [layer for layer in model.decoder.layers if isinstance(layer, DecoderLayer)]
