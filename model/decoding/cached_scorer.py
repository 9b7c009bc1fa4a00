"""The scorer of unrecorded decoding: it keeps keys and values, so each step costs one position."""

import torch
from torch import Tensor

from model.transformer.cache import KeyValueCache
from model.transformer.transformer import Transformer


class CachedScorer:
    """Scores what follows prefixes (N, T) as `Transformer.decode` does, but incrementally.

    A row that continues a row of the previous call by some pieces costs those pieces only; any
    other call starts afresh. Use one object for one decoding run: it is not shared by threads.
    """

    def __init__(self, model: Transformer, memory: Tensor, memory_mask: Tensor) -> None:
        """Score prefixes against one memory (1, S, D) with its mask (1, 1, S)."""
        self._model, self._memory, self._memory_mask = model, memory, memory_mask
        self._cache = KeyValueCache(model.config.decoder_layers)
        self._seen = torch.empty(1, 0, dtype=torch.long)  # M P: the prefixes of the previous call

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of what follows each prefix."""
        known = self._seen.size(1)
        longer = 0 < known < prefixes.size(1)
        if not (longer and torch.equal(prefixes[:, :known], self._seen)):
            self._cache.select(self._continued(prefixes[:, :known]) if longer else None)
        self._seen = prefixes
        logits = self._model.decode(prefixes, self._memory, self._memory_mask, cache=self._cache)
        return logits[:, -1]  # N V

    def _continued(self, beginnings: Tensor) -> Tensor | None:
        """Find the previous row (N,) that equals each beginning (N, P); None if one has none."""
        same = (beginnings[:, None] == self._seen).all(dim=-1)  # N M
        return same.int().argmax(dim=1) if bool(same.any(dim=1).all()) else None
