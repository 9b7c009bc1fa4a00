"""The scorer of recurrent decoding, with or without edits."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from model.recurrent.recurrent import Recurrent
from model.sites.tap import NO_TAP, Edit, Editor


class RecurrentScorer:
    """Scores the piece after prefixes (N, T); it runs each prefix whole, as steps are cheap.

    The output is expensive, so only the last position of a prefix is scored.
    """

    def __init__(
        self, network: Recurrent, source_ids: Sequence[int], edits: Mapping[str, Edit] | None = None
    ) -> None:
        """Encode the source once, under the edits."""
        self._network, self._tap = network, Editor(edits) if edits else NO_TAP
        self._memory, self._mask = network.encode(torch.tensor([source_ids]), self._tap)  # 1 S R

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of the piece after each prefix."""
        memory = self._memory.expand(prefixes.size(0), -1, -1)  # N S R
        return self._network.follow(prefixes, memory, self._mask, self._tap)[:, -1]  # N V
