"""A whole distribution in few numbers: the most probable pieces exactly, the rest in bands."""

from dataclasses import dataclass

import torch
from torch import Tensor

EXACT = 64
"""The number of most probable pieces that are kept one by one."""

_GROWTH = 1.1
"""The approximate growth of each band of ranks over the band before."""


@dataclass(frozen=True, eq=False)
class Odds:
    """Log-probabilities of the next piece at T steps, ranked.

    `ids` and `log_probs` (T, EXACT) are those of the most probable pieces. All other pieces are cut
    into bands of neighbouring ranks: `sizes` (bands) is the number of pieces of a band, `bands` (T,
    bands) the logarithm of their mean probability. Neighbouring ranks are nearly equally probable,
    so the odds at another temperature can be computed from these means.
    """

    ids: Tensor
    log_probs: Tensor
    sizes: tuple[int, ...]
    bands: Tensor


def odds(log_probs: Tensor) -> Odds:
    """Compress log-probabilities (T, V)."""
    values, ids = log_probs.sort(dim=-1, descending=True)  # T V
    sizes = _sizes(log_probs.size(-1) - EXACT)
    bands = [
        band.logsumexp(dim=-1) - torch.tensor(float(band.size(-1))).log()
        for band in values[:, EXACT:].split(list(sizes), dim=-1)
    ]
    stacked = torch.stack(bands, dim=-1) if bands else values[:, :0]  # T bands
    return Odds(ids[:, :EXACT], values[:, :EXACT], sizes, stacked)


def _sizes(count: int) -> tuple[int, ...]:
    sizes: list[int] = []
    while (left := count - sum(sizes)) > 0:
        sizes.append(min(left, max(1, round((EXACT + sum(sizes)) * (_GROWTH - 1)))))
    return tuple(sizes)
