"""Attention masks. True = may attend, everywhere; the last two dims are query and key."""

import torch
from torch import Tensor


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Let every query see the keys that are not padding: (B, S) ids -> (B, 1, S) bool."""
    return (ids != pad_id).unsqueeze(1)  # B 1 S


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """Let position t see positions up to t (look-ahead mask): (T, T) bool, lower triangle."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()  # T T
