"""The probabilities that a model gives to known pieces."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.decoding.steps import normalised


def log_probs_of(ids: Sequence[int] | Tensor, logits: Tensor) -> Tensor:
    """Return log p, in nats, of each of T ids in its row of logits (..., T, V).

    Returns (..., T) in double precision. Raises ValueError when the numbers of ids and rows differ.
    """
    ids_row = torch.as_tensor(ids)  # T
    if ids_row.shape != logits.shape[-2:-1]:
        raise ValueError(f"{tuple(ids_row.shape)} ids do not fit logits {tuple(logits.shape)}")
    log_probs = normalised(logits)  # ... T V
    index = ids_row.expand(logits.shape[:-1]).unsqueeze(-1)  # ... T 1
    return log_probs.gather(-1, index).squeeze(-1)
