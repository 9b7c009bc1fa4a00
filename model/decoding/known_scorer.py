"""The scorer of a decode that may well come out as one that is known."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from model.decoding.steps import Scorer


class KnownScorer:
    """Scores what follows a prefix from known logits, as long as the known ids begin with it.

    Where it parts from them another scorer takes over, which is made when it is needed.
    """

    def __init__(
        self, afresh: Callable[[], Scorer], ids: Sequence[int] = (), logits: Tensor | None = None
    ) -> None:
        """Know the logits (T, V) of what follows each of T ids, begin id first; none at first."""
        self._afresh, self._scorer = afresh, None
        self._ids, self._logits = torch.tensor([list(ids)]), logits  # 1 T

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of what follows each prefix (N, T)."""
        length = prefixes.size(1)
        known = self._scorer is None and self._logits is not None
        if known and torch.equal(prefixes, self._ids[:, :length]):
            return self._logits[length - 1 : length]  # 1 V
        self._scorer = self._scorer or self._afresh()
        return self._scorer(prefixes)
