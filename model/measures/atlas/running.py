"""Running many sentences at once, and keeping a few tensors of the run."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import torch
from torch import Tensor

from model.transformer.transformer import Transformer

Ids = Sequence[int]

BATCH, NUMBERS = 32, 16_000_000
"""The most sentences at a time, and the most numbers in their attention or logits."""


class Enough(Exception):
    """Raised when every wanted site has passed: the rest of the run is not needed."""


class Kept:
    """A tap that keeps the tensors of some sites, by their names, and changes nothing.

    It raises Enough once it has all of them.
    """

    def __init__(self, wanted: frozenset[str], prefix: str = "") -> None:
        """Start without any tensors."""
        self.found: dict[str, Tensor] = {}
        self._wanted, self._prefix = wanted, prefix

    def at(self, scope: str) -> "Kept":
        """Return the tap for the names that start with `scope`."""
        inner = Kept(self._wanted, f"{self._prefix}{scope}.")
        inner.found = self.found
        return inner

    def __call__(self, name: str, tensor: Tensor, *_made_of: Tensor) -> Tensor:
        """Keep the tensor if it is wanted, and return it unchanged."""
        if self._prefix + name in self._wanted:
            self.found[self._prefix + name] = tensor
            if len(self.found) == len(self._wanted):
                raise Enough
        return tensor


@torch.inference_mode()
def kept_sites(
    model: Transformer,
    rows: Sequence[tuple[Ids, Ids]],
    wanted: frozenset[str],
) -> dict[str, Tensor]:
    """Run sources and targets, by ids, as one padded batch and return these sites (B, ...).

    The run stops after the last of them.
    """
    tap = Kept(wanted)
    source, target = (padded([row[side] for row in rows], model.config.pad_id) for side in (0, 1))
    with suppress(Enough):
        memory, mask = model.encode(source, tap)
        model.decode(target, memory, mask, tap)
    return tap.found


def padded(rows: Sequence[Ids], pad: int) -> Tensor:
    """Return ids of several lengths as one tensor (B, T)."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])


def batches(model: Transformer, rows: Sequence[tuple[Ids, Ids]]) -> Iterator[list[int]]:
    """Yield, batch by batch, the numbers of sources and targets of similar length.

    A batch has at most `BATCH` sentences, and fewer if they exceed `NUMBERS`.
    """
    config = model.config
    maps = config.heads * sum(config.layers(kind) for kind in config.kinds)
    order = sorted(range(len(rows)), key=lambda at: (len(rows[at][0]), len(rows[at][1])))
    some: list[int] = []
    longest = 0
    for at in order:
        length = max(longest, *map(len, rows[at]))
        size = length * max(maps * length, config.target_vocab_size)
        if some and (len(some) == BATCH or (len(some) + 1) * size > NUMBERS):
            yield some
            some, length = [], max(map(len, rows[at]))
        some.append(at)
        longest = length
    if some:
        yield some
