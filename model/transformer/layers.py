"""The sublayers of the Transformer, section 3.2 and 3.3 of "Attention Is All You Need"."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from model.sites.tap import NO_TAP, Tap
from model.transformer.cache import NOTHING_KEPT, Keep, KeysValues, LayerCache, afresh
from model.transformer.config import Activation, ModelConfig
from model.transformer.positional import rotated

ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {
    "relu": nn.functional.relu,
    "swish": nn.functional.silu,
    "gelu": nn.functional.gelu,
    "none": lambda x: x,
}


class Dropout(nn.Module):
    """Dropout (section 5.4) with masks drawn as random bytes: the rate is a multiple of 1/256.

    torch's own dropout draws a number for each element, which takes a quarter of a training step on
    a CPU; on a GPU it is faster than this.
    """

    def __init__(self, rate: float) -> None:
        """Keep the rate, rounded to 1/256; ValueError outside 0 <= rate < 1."""
        super().__init__()
        if not 0 <= rate < 1:
            raise ValueError(f"a dropout rate is at least 0 and below 1, not {rate}")
        self.threshold = min(round(rate * 256), 255)

    def forward(self, x: Tensor) -> Tensor:
        """Set a random share of x to zero and scale up the rest, in training only."""
        if not (self.training and self.threshold):
            return x
        if x.is_cuda:
            return nn.functional.dropout(x, self.threshold / 256)
        words = torch.empty(x.numel() // 8 + 1, dtype=torch.int64, device=x.device)
        random = words.random_(-(2**63), None).view(torch.uint8)[: x.numel()].view(x.shape)
        mask = (random >= self.threshold).to(x.dtype)  # a product is faster than a fill
        return x * mask * (256 / (256 - self.threshold))


class MultiHeadAttention(nn.Module):
    """Scaled dot-product attention in several heads (section 3.2).

    Each head owns a slice of d_model / heads rows of the projections q, k and v.
    """

    def __init__(self, d_model: int, heads: int, dropout: float = 0.0) -> None:
        """Create the four projections of d_model x d_model."""
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)
        self.dropout = Dropout(dropout)

    def forward(
        self, query: Tensor, source: Tensor, mask: Tensor, tap: Tap = NO_TAP, keep: Keep = afresh
    ) -> Tensor:
        """Let `query` (B, T, D) look at `source` (B, S, D) where `mask` (B, T or 1, S) is True.

        The cached positions of earlier calls come before `source`; S includes them.
        """
        k, v = keep(self.keys_values, source)  # B H S Dk
        queries, k = self.placed(self.split(self.q(query)), k)  # B H T Dk, B H S Dk
        q, k, v = tap("q", queries), tap("k", k, queries), tap("v", v, queries)
        scores = tap("scores", self.scores(q, k))  # B H T S
        masked = torch.where(mask.unsqueeze(1), scores, -torch.inf)  # B H T S
        weights = tap("weights", masked.softmax(dim=-1))  # B H T S
        z = tap("z", self.dropout(weights) @ v)  # B H T Dk
        return tap("out", self.out(z.transpose(1, 2).flatten(2)))  # B T D

    def keys_values(self, source: Tensor) -> KeysValues:
        """Project vectors (B, S, D) to the heads' keys and values (B, H, S, Dk)."""
        return self.split(self.k(source)), self.split(self.v(source))

    def split(self, x: Tensor) -> Tensor:
        """Cut vectors (B, S, D) into the heads' slices (B, H, S, Dk)."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # B H T Dk

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        """Compare queries (B, H, T, Dk) with keys (B, H, S, Dk): q k / sqrt(d_k), (B, H, T, S)."""
        return q @ k.mT / math.sqrt(q.size(-1))

    def placed(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        """Return queries and keys unchanged: their vectors already contain the positions."""
        return q, k


class RotaryAttention(MultiHeadAttention):
    """Self-attention whose queries and keys are rotated by their positions; nothing is added."""

    def placed(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        """Rotate queries (B, H, T, Dk), which are the last positions, and keys (B, H, S, Dk)."""
        return rotated(q, start=k.size(2) - q.size(2)), rotated(k)


def additive_scores(q: Tensor, k: Tensor, vector: Tensor) -> Tensor:
    """Return v tanh(q + k), (..., T, S), of queries (..., T, Dk), keys (..., S, Dk), v (..., Dk).

    Bahdanau et al. 2015, appendix A.1.2, in each head.
    """
    pairs = (q.unsqueeze(-2) + k.unsqueeze(-3)).tanh()  # ... T S Dk
    return (pairs @ vector[..., None, :, None]).squeeze(-1)  # ... T S


class AdditiveAttention(MultiHeadAttention):
    """Attention whose scores are additive: each head has a vector v in place of a product."""

    def __init__(self, d_model: int, heads: int, dropout: float = 0.0) -> None:
        """Create the projections and v (H, Dk)."""
        super().__init__(d_model, heads, dropout)
        self.score_vector = nn.Parameter(torch.empty(heads, d_model // heads))  # H Dk

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        """Compare queries (B, H, T, Dk) with keys (B, H, S, Dk): v tanh(q + k), (B, H, T, S)."""
        return additive_scores(q, k, self.score_vector)


def self_attention(config: ModelConfig, dropout: float) -> MultiHeadAttention:
    """Create the self-attention of a layer, for the positions and scores of the model."""
    if config.positions == "rotary":
        return RotaryAttention(config.d_model, config.heads, dropout)
    return cross_attention(config, dropout)


def cross_attention(config: ModelConfig, dropout: float) -> MultiHeadAttention:
    """Create the attention of a decoder layer to the memory, for the scores of the model."""
    attention = AdditiveAttention if config.scores == "additive" else MultiHeadAttention
    return attention(config.d_model, config.heads, dropout)


class FeedForward(nn.Module):
    """max(0, x W1 + b1) W2 + b2 at each position separately (section 3.3).

    Other models have another activation in place of ReLU, the max(0, ...).
    """

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create the two linear maps."""
        super().__init__()
        self.hidden = nn.Linear(config.d_model, config.d_ff)
        self.out = nn.Linear(config.d_ff, config.d_model)
        self.activation = ACTIVATIONS[config.variant.activation]
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map (B, S, D) to (B, S, D)."""
        before = tap("before_relu", self.hidden(x))  # B S F
        hidden = tap("hidden", self.activation(before), before)  # B S F
        return tap("out", self.out(self.dropout(hidden)))  # B S D


def add_and_norm(norm: nn.LayerNorm, x: Tensor, added: Tensor, tap: Tap, number: int) -> Tensor:
    """Return LayerNorm(x + added), (B, S, D): the end of sublayer `number` of a layer, from 1."""
    total = tap(f"sum{number}", x + added, x, added)  # B S D
    return tap(f"norm{number}", norm(total), total)  # B S D


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward, each as LayerNorm(x + Sublayer(x)) (section 3.1)."""

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create the two sublayers and their norms."""
        super().__init__()
        self.self_attn = self_attention(config, dropout)
        self.norm1 = nn.LayerNorm(config.d_model)
        self.ffn = FeedForward(config, dropout)
        self.norm2 = nn.LayerNorm(config.d_model)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map (B, S, D) to (B, S, D)."""
        attended = self.self_attn(x, x, mask, tap.at("self_attn"))  # B S D
        x = add_and_norm(self.norm1, x, self.dropout(attended), tap, 1)  # B S D
        fed = self.ffn(x, tap.at("ffn"))  # B S D
        return add_and_norm(self.norm2, x, self.dropout(fed), tap, 2)  # B S D


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the memory, then feed-forward (section 3.1)."""

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create the three sublayers and their norms."""
        super().__init__()
        self.self_attn = self_attention(config, dropout)
        self.norm1 = nn.LayerNorm(config.d_model)
        self.cross_attn = cross_attention(config, dropout)
        self.norm2 = nn.LayerNorm(config.d_model)
        self.ffn = FeedForward(config, dropout)
        self.norm3 = nn.LayerNorm(config.d_model)
        self.dropout = Dropout(dropout)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor,
        cross_mask: Tensor,
        tap: Tap = NO_TAP,
        kept: LayerCache = NOTHING_KEPT,
    ) -> Tensor:
        """Map x (B, T, D) to (B, T, D), looking at memory (B, S, D)."""
        attended = self.self_attn(x, x, mask, tap.at("self_attn"), kept.own)  # B T D
        x = add_and_norm(self.norm1, x, self.dropout(attended), tap, 1)  # B T D
        crossed = self.cross_attn(x, memory, cross_mask, tap.at("cross_attn"), kept.memory)  # B T D
        x = add_and_norm(self.norm2, x, self.dropout(crossed), tap, 2)  # B T D
        fed = self.ffn(x, tap.at("ffn"))  # B T D
        return add_and_norm(self.norm3, x, self.dropout(fed), tap, 3)  # B T D
