"""The scorer of a decode that may repeat a known decode."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from model.decoding.steps import Scorer


class KnownScorer:
    """Scores prefixes by known logits, as long as the known ids begin with the prefix.

    Another scorer takes over where a prefix differs; it is made when it is first needed.
    """

    def __init__(
        self, afresh: Callable[[], Scorer], ids: Sequence[int] = (), logits: Tensor | None = None
    ) -> None:
        """Keep the logits (T, V) after each of T ids, begin id first; T may be 0."""
        self._afresh = afresh
        self._scorer: Scorer | None = None
        self._ids, self._logits = torch.tensor([list(ids)]), logits  # 1 T

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of the piece after each prefix (N, T)."""
        length, logits = prefixes.size(1), self._logits
        if logits is not None and torch.equal(prefixes, self._ids[:, :length]):
            return logits[length - 1 : length]  # 1 V
        if self._scorer is None:
            self._scorer, self._logits = self._afresh(), None
        return self._scorer(prefixes)
