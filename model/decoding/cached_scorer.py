"""The scorer of unrecorded decoding: it keeps keys and values, so each step costs one position."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.transformer.cache import KeyValueCache
from model.transformer.transformer import Transformer


class CachedScorer:
    """Scores what follows prefixes (N, T) as `Transformer.decode` does, but incrementally.

    A row that continues a row of the previous call by some pieces costs those pieces only; any
    other call starts afresh. What a draft holds is scored in a single run, and a prefix that parts
    from it goes on from there. Use one object for one decoding run: threads do not share it.
    """

    def __init__(
        self, model: Transformer, memory: Tensor, memory_mask: Tensor, draft: Sequence[int] = ()
    ) -> None:
        """Score prefixes against one memory (1, S, D) with its mask (1, 1, S).

        A draft begins with the begin id.
        """
        self._model, self._memory, self._memory_mask = model, memory, memory_mask
        self._cache = KeyValueCache(model.config.decoder_layers)
        self._seen = torch.tensor([draft], dtype=torch.long)  # M P: prefixes of the previous call
        self._draft = self._seen  # 1 T
        self._scored = self._decode(self._draft)[0] if draft else None  # T V

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of what follows each prefix."""
        if self._scored is not None:
            length = prefixes.size(1)
            if torch.equal(prefixes, self._draft[:, :length]):
                return self._scored[length - 1 : length]  # 1 V
            self._leave_draft(prefixes)
        known = self._seen.size(1)
        longer = 0 < known < prefixes.size(1)
        if not (longer and torch.equal(prefixes[:, :known], self._seen)):
            self._cache.select(self._continued(prefixes[:, :known]) if longer else None)
        self._seen = prefixes
        return self._decode(prefixes)[:, -1]  # N V

    def _decode(self, prefixes: Tensor) -> Tensor:
        return self._model.decode(prefixes, self._memory, self._memory_mask, cache=self._cache)

    def _leave_draft(self, prefixes: Tensor) -> None:
        """Keep of the draft only what all prefixes begin with."""
        both = min(prefixes.size(1), self._draft.size(1))
        same = (prefixes[:, :both] == self._draft[:, :both]).all(dim=0)  # P
        common = int(same.int().cumprod(dim=0).sum())
        self._cache.cut(common)
        self._seen, self._scored = self._draft[:, :common], None

    def _continued(self, beginnings: Tensor) -> Tensor | None:
        """Find the previous row (N,) that equals each beginning (N, P); None if one has none."""
        same = (beginnings[:, None] == self._seen).all(dim=-1)  # N M
        return same.int().argmax(dim=1) if bool(same.any(dim=1).all()) else None
