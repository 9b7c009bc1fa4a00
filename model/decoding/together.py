"""Greedy decoding of many sentences at once, padding sentences of similar length together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from model.decoding.steps import to_choose
from model.sites.tap import NO_TAP, Edit, Editor, Tap

Written = tuple[list[int], float]
"""The ids of a translation, without begin and end, and its log-probability with the end."""


class Coder(Protocol):
    """The methods of a model of either family that this decoding calls."""

    @property
    def config(self) -> Any:  # noqa: ANN401
        """The model's sizes and special ids."""
        ...

    def encode(self, src: Tensor, tap: Tap, /) -> tuple[Tensor, Tensor]:
        """Map source ids (B, S) to a memory and its padding mask."""
        ...

    def decode(self, tgt: Tensor, memory: Tensor, memory_mask: Tensor, tap: Tap, /) -> Tensor:
        """Map target ids (B, T) to logits (B, T, V)."""
        ...

    def stepping(
        self, memory: Tensor, memory_mask: Tensor, tap: Tap, /
    ) -> Callable[[Tensor], Tensor]:
        """Return a scorer (B, V) of the next piece; its prefixes (B, T) grow by one."""
        ...


@torch.no_grad()
def greedy_together(
    model: Coder,
    rows: Sequence[Sequence[int]],
    longest: Sequence[int],
    batch: int = 64,
    edits: Mapping[str, Edit] | None = None,
    afresh: bool = False,
) -> list[Written]:
    """Decode sources in batches of `batch`, each to its longest prefix; keep their order.

    Under `edits` all sources should have one length, as an edit knows no padding of a batch. With
    `afresh` nothing is kept between steps, as edits of the decoder may change any position.
    """
    tap = Editor(edits) if edits else NO_TAP
    order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
    by_number: dict[int, Written] = {}
    for start in range(0, len(order), batch):
        numbers = order[start : start + batch]
        picked = [rows[row] for row in numbers], [longest[row] for row in numbers]
        written = _decode(model, *picked, tap, afresh)
        by_number |= zip(numbers, written, strict=True)
    return [by_number[row] for row in range(len(rows))]


def _decode(
    model: Coder,
    rows: Sequence[Sequence[int]],
    longest: Sequence[int],
    tap: Tap,
    afresh: bool,
) -> list[Written]:
    config, width = model.config, max(map(len, rows))
    padded = [[*row, *[config.pad_id] * (width - len(row))] for row in rows]
    memory, mask = model.encode(torch.tensor(padded), tap)  # B S D
    tgt = torch.full((len(rows), 1), config.begin_id)  # B 1
    most = torch.tensor(longest)  # B
    total = torch.zeros(len(rows), dtype=torch.float64)  # B
    done = most <= 1

    def scorer(left: Tensor) -> Callable[[Tensor], Tensor]:
        seen = memory[left], mask[left]
        if afresh:
            return lambda prefixes: model.decode(prefixes, *seen, tap)[:, -1]
        return model.stepping(*seen, tap)

    left = torch.arange(len(rows))
    score = scorer(left)
    while not done.all():
        if 2 * int((~done).sum()) <= len(left):  # half have ended: the others go on alone
            left = (~done).nonzero()[:, 0]
            score = scorer(left)
        highest = to_choose(score(tgt[left]), config.banned_ids).max(dim=-1)
        best, chosen = (each.cpu() for each in highest)  # B'
        total[left] += best.masked_fill(done[left], 0)
        written = torch.full((len(rows), 1), config.end_id)  # B 1
        written[left, 0] = chosen
        tgt = torch.cat([tgt, written], dim=1)  # B T
        done |= (written[:, 0] == config.end_id) | (tgt.size(1) >= most)
    return [
        (_until_end(ids[1:most_], config.end_id), log_prob)
        for ids, most_, log_prob in zip(tgt.tolist(), longest, total.tolist(), strict=True)
    ]


def _until_end(ids: list[int], end_id: int) -> list[int]:
    return ids[: ids.index(end_id)] if end_id in ids else ids
