"""A small model whose heads begin alike: the same gradient keeps them alike, step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from model.learning.beginning import fresh
from model.transformer.config import ModelConfig
from model.transformer.layers import MultiHeadAttention
from model.transformer.transformer import Transformer

RATE, DRAW = 3e-3, 0


@dataclass(frozen=True, eq=False)
class Heads:
    """Steps of Adam on one pair, the state before the first one included.

    `likeness` (steps + 1,) is the mean cosine between the weights of two heads of one attention,
    `losses` (steps + 1,) the mean cross-entropy of the pair in nats.
    """

    likeness: NDArray[np.float64]
    losses: NDArray[np.float64]


def train_heads(
    config: ModelConfig,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    steps: int,
    apart: float | None,
) -> Heads:
    """Train a fresh model on one pair, without dropout.

    With `apart` None all heads begin as they are drawn. Otherwise every head of an attention begins
    as a copy of its first one, and each number of a weight is moved by up to this share of it.
    `target_ids` begin with the begin id and end with the end id. Raises ValueError when a side is
    too long.
    """
    model = fresh(config, "Xavier's", DRAW)
    if apart is not None:
        generator = torch.Generator().manual_seed(DRAW)
        with torch.no_grad():
            for attention in _attentions(model):
                for weights in _by_head(attention):
                    weights.copy_(weights[:1].expand_as(weights).clone())
                    noise = torch.rand(weights.shape, generator=generator) * 2 - 1
                    weights *= 1 + apart * noise
    source, target = torch.tensor([source_ids]), torch.tensor([target_ids])
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    likeness, losses = [_likeness(model)], list[float]()
    for step in range(steps + 1):
        logits = model(source, target[:, :-1])  # 1 T V
        loss = nn.functional.cross_entropy(logits[0], target[0, 1:])
        losses.append(float(loss.detach()))
        if step == steps:
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        likeness.append(_likeness(model))
    return Heads(np.array(likeness), np.array(losses))


def _attentions(model: Transformer) -> Iterator[MultiHeadAttention]:
    return (part for part in model.modules() if isinstance(part, MultiHeadAttention))


def _by_head(attention: MultiHeadAttention) -> Iterator[Tensor]:
    """Yield views of all weights of an attention that belong to single heads, heads first."""
    for projection in (attention.q, attention.k, attention.v):
        yield projection.weight.unflatten(0, (attention.heads, -1))  # H Dk D
        yield projection.bias.unflatten(0, (attention.heads, -1))  # H Dk
    yield attention.out.weight.unflatten(1, (attention.heads, -1)).movedim(1, 0)  # H D Dk


def _likeness(model: Transformer) -> float:
    """Return the mean cosine between the weights of every two heads of an attention."""
    cosines: list[float] = []
    with torch.no_grad():
        for attention in _attentions(model):
            rows = torch.cat([part.flatten(1) for part in _by_head(attention)], dim=1).double()
            cosines += [
                float(nn.functional.cosine_similarity(rows[one], rows[other], dim=0))
                for one, other in combinations(range(attention.heads), 2)
            ]
    return float(np.mean(cosines))
