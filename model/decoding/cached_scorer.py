"""The scorer of unrecorded decoding: it keeps keys and values, so each step costs one position."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.decoding.draft import with_guess
from model.transformer.cache import KeyValueCache
from model.transformer.transformer import Transformer


class CachedScorer:
    """Scores what follows prefixes (N, T) as `Transformer.decode` does, but incrementally.

    A row that continues a row of the previous call by some pieces costs those pieces only, and so
    does a single prefix that parts from a single one; any other call starts afresh. What a draft
    says may follow is scored along. Use one object for one decoding run: threads do not share it.
    """

    def __init__(
        self, model: Transformer, memory: Tensor, memory_mask: Tensor, draft: Sequence[int] = ()
    ) -> None:
        """Score prefixes against one memory (1, S, D) with its mask (1, 1, S).

        A draft begins with the begin id.
        """
        self._model, self._memory, self._memory_mask = model, memory, memory_mask
        self._cache = KeyValueCache(model.config.decoder_layers)
        self._draft = draft
        # M P: what the cache holds, and M P V: what follows its last pieces
        self._seen = self._scored = torch.empty(1, 0)

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of what follows each prefix."""
        length = prefixes.size(1)
        if len(self._seen) == 1:
            shared = self._shared(prefixes)
            first = self._seen.size(1) - self._scored.size(1)
            if len(prefixes) == 1 and shared == length > first:
                return self._scored[:, length - 1 - first]  # 1 V
            self._cut(min(shared, length - 1))
        self._select(prefixes)
        is_single, longest = len(prefixes) == 1, self._model.config.max_length
        self._seen = with_guess(prefixes, self._draft, longest) if is_single else prefixes
        known = self._cache.length
        self._scored = self._model.decode(
            self._seen, self._memory, self._memory_mask, cache=self._cache
        )  # N P V
        return self._scored[:, length - 1 - known]  # N V

    def _shared(self, prefixes: Tensor) -> int:
        """Count the pieces with which all prefixes begin and what was seen too."""
        both = min(prefixes.size(1), self._seen.size(1))
        same = (prefixes[:, :both] == self._seen[:, :both]).all(dim=0)  # P
        return int(same.int().cumprod(dim=0).sum())

    def _cut(self, length: int) -> None:
        """Keep the first pieces of what was seen."""
        self._cache.cut(length)
        self._seen = self._seen[:, :length]

    def _select(self, prefixes: Tensor) -> None:
        """Keep of each prefix (N, T) the row that it continues; nothing when one has none."""
        known = self._seen.size(1)
        if known >= prefixes.size(1):
            self._cache.select(None)
        elif not torch.equal(prefixes[:, :known], self._seen):
            self._cache.select(self._continued(prefixes[:, :known]))

    def _continued(self, beginnings: Tensor) -> Tensor | None:
        """Find the previous row (N,) that equals each beginning (N, P); None if one has none."""
        same = (beginnings[:, None] == self._seen).all(dim=-1)  # N M
        return same.int().argmax(dim=1) if bool(same.any(dim=1).all()) else None
