"""The value of a head: the rise of the loss on a corpus when it alone is switched off."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from model.decoding.steps import Progress
from model.measures.atlas.running import Ids, padded
from model.sites.sites import KINDS, Kind, attention_site
from model.sites.tap import NO_TAP, Edit, Editor, Tap
from model.transformer.transformer import Transformer

BATCH = 32


@dataclass(frozen=True, eq=False)
class Losses:
    """The loss of the whole model, in nats a piece over `pieces` pieces, and its rise by head.

    `rises` holds (L, H) for each kind of attention: the loss without the head minus the loss with
    it.
    """

    loss: float
    pieces: int
    rises: dict[Kind, NDArray[np.float64]]


@torch.inference_mode()
def losses_without(
    model: Transformer,
    pairs: Sequence[tuple[Ids, Ids]],
    progress: Progress = lambda _done, _all: None,
) -> Losses:
    """Switch every head off, one at a time (its z becomes 0), and measure the loss on pairs of ids.

    Sources end with the end id; targets begin with the begin id and end with the end id. Raises
    ValueError when there is no pair.
    """
    if not pairs:
        raise ValueError("there is no pair to measure the loss on")
    order = sorted(pairs, key=lambda pair: (len(pair[1]), len(pair[0])))
    batches = [_Batch(model, order[at : at + BATCH]) for at in range(0, len(order), BATCH)]
    pieces = sum(batch.pieces for batch in batches)
    usual = sum(batch.loss("decoder", NO_TAP) for batch in batches) / pieces
    rises: dict[Kind, NDArray[np.float64]] = {
        kind: np.zeros((model.config.layers(kind), model.config.heads)) for kind in KINDS
    }
    every: list[tuple[Kind, int, int]] = [
        (kind, int(layer), int(head))
        for kind in KINDS
        for layer, head in np.ndindex(rises[kind].shape)
    ]
    for done, (kind, layer, head) in enumerate(every, start=1):
        tap: Tap = Editor({attention_site(kind, layer, "z"): _without(head)})
        without = sum(batch.loss(kind, tap) for batch in batches) / pieces
        rises[kind][layer, head] = without - usual
        progress(done, len(every))
    return Losses(usual, pieces, rises)


class _Batch:
    """Pairs of similar length, and their memory from the whole encoder."""

    def __init__(self, model: Transformer, pairs: Sequence[tuple[Ids, Ids]]) -> None:
        self._model, pad = model, model.config.pad_id
        self._source, target = (padded([pair[side] for pair in pairs], pad) for side in (0, 1))
        self._given, self._wanted = target[:, :-1], target[:, 1:]  # B T
        lengths = torch.tensor([len(pair[1]) - 1 for pair in pairs])
        self._counts = torch.arange(self._wanted.size(1)) < lengths[:, None]  # B T
        self._memory = model.encode(self._source, NO_TAP)
        self.pieces = int(lengths.sum())

    def loss(self, kind: Kind, tap: Tap) -> float:
        """Return the sum of -log p, in nats, of all pieces after the begin token, under a tap."""
        read = self._model.encode(self._source, tap) if kind == "encoder" else self._memory
        logits = self._model.decode(self._given, *read, tap)[self._counts]  # N V
        return float(cross_entropy(logits, self._wanted[self._counts], reduction="sum"))


def _without(head: int) -> Edit:
    """Return the edit of z (B, H, T, Dk) that sets one head's z to zero."""

    def edit(z: Tensor) -> Tensor:
        z = z.clone()
        z[:, head] = 0
        return z

    return edit
