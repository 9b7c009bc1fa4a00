"""The encoder-decoder Transformer of "Attention Is All You Need"."""

import math

import torch
from torch import Tensor, nn

from model.recording.tap import NO_TAP, Tap
from model.transformer.cache import NO_CACHE, Cache
from model.transformer.config import ModelConfig
from model.transformer.layers import DecoderLayer, Dropout, EncoderLayer
from model.transformer.masks import causal_mask, padding_mask
from model.transformer.positional import sinusoidal_positions


class Encoder(nn.Module):
    """A stack of encoder layers."""

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create `config.encoder_layers` layers."""
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(config.d_model, config.heads, config.d_ff, dropout)
            for _ in range(config.encoder_layers)
        )

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map input vectors (B, S, D) to the memory (B, S, D)."""
        for number, layer in enumerate(self.layers):
            x = layer(x, mask, tap.at(str(number)))  # B S D
        return tap("memory", x)  # B S D


class Decoder(nn.Module):
    """A stack of decoder layers."""

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create `config.decoder_layers` layers."""
        super().__init__()
        self.layers = nn.ModuleList(
            DecoderLayer(config.d_model, config.heads, config.d_ff, dropout)
            for _ in range(config.decoder_layers)
        )

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor,
        cross_mask: Tensor,
        tap: Tap = NO_TAP,
        cache: Cache = NO_CACHE,
    ) -> Tensor:
        """Map input vectors (B, T, D) and the memory (B, S, D) to output vectors (B, T, D)."""
        for number, layer in enumerate(self.layers):
            inner = tap.at(str(number)), cache.layer(number)
            x = layer(x, memory, mask, cross_mask, *inner)  # B T D
        return x


class Transformer(nn.Module):
    """Encoder, decoder and one embedding matrix shared by both and the output (section 3.4)."""

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create the parts with fresh weights."""
        super().__init__()
        self.config = config
        empty = torch.empty(config.vocab_size, config.d_model)  # V D
        self.embedding = nn.Embedding.from_pretrained(empty, freeze=False)
        self.encoder = Encoder(config, dropout)
        self.decoder = Decoder(config, dropout)
        self.dropout = Dropout(dropout)
        # A checkpoint is loaded into a model on the meta device: there it would be for nothing,
        # and would import torch's compiler, a second and more.
        if not empty.is_meta:
            self.reset_positions()
            self._initialise()

    def reset_positions(self) -> None:
        """Compute the table of positions; it is not part of the weights."""
        table = sinusoidal_positions(self.config.max_length, self.config.d_model)  # P D
        self.register_buffer("positions", table, persistent=False)

    def _initialise(self) -> None:
        """Glorot matrices and zero biases; embeddings of variance 1 / D, as they are scaled up.

        Values and feed-forward start smaller by DeepNet's beta (arXiv 2203.00555, table 2), so
        that LayerNorm(x + Sublayer(x)) begins close to x. Without it the encoder's positions
        soon collapsed to one and the same vector, and cross-attention stayed uniform.
        """
        encoder, decoder = self.config.encoder_layers, self.config.decoder_layers
        betas = {
            "encoder": 0.87 * (encoder**4 * decoder) ** (-1 / 16),
            "decoder": (12 * decoder) ** (-1 / 4),
        }
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                small = name.endswith(("v.weight", "out.weight", "hidden.weight"))
                gain = betas[name.split(".")[0]] if small else 1.0
                nn.init.xavier_uniform_(parameter, gain)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)
        nn.init.normal_(self.embedding.weight, std=self.config.d_model**-0.5)

    def embed(self, ids: Tensor, tap: Tap = NO_TAP, start: int = 0) -> Tensor:
        """Turn ids (B, S) at positions from `start` on into input vectors (B, S, D).

        Raises ValueError when they reach beyond `max_length`.
        """
        end = start + ids.size(1)
        if end > self.config.max_length:
            raise ValueError(f"{end} tokens given, at most {self.config.max_length} fit")
        scale = math.sqrt(self.config.d_model)
        embedding = tap("embedding", self.embedding(ids) * scale)  # B S D
        positions = tap("positions", self.get_buffer("positions")[start:end].expand_as(embedding))
        return self.dropout(tap("input", embedding + positions))  # B S D

    def encode(self, src: Tensor, tap: Tap = NO_TAP) -> tuple[Tensor, Tensor]:
        """Encode source ids (B, S): the memory (B, S, D) and the source padding mask (B, 1, S)."""
        tap = tap.at("encoder")
        padding = padding_mask(src, self.config.pad_id)  # B 1 S
        mask = tap("mask", padding.expand(-1, src.size(1), -1))  # B S S
        return self.encoder(self.embed(src, tap), mask, tap), padding

    def decode(
        self,
        tgt: Tensor,
        memory: Tensor,
        memory_mask: Tensor,
        tap: Tap = NO_TAP,
        cache: Cache = NO_CACHE,
    ) -> Tensor:
        """Score what follows each target id (B, T): logits (B, T, V).

        Of the positions that a cache knows nothing is computed: T counts the others only.
        """
        tap, start = tap.at("decoder"), cache.length
        causal = causal_mask(tgt.size(1), tgt.device)[start:]  # T start+T
        mask = tap("mask", padding_mask(tgt, self.config.pad_id) & causal)  # B T start+T
        cross_mask = tap("cross_mask", memory_mask.expand(-1, len(causal), -1))  # B T S
        x = self.embed(tgt[:, start:], tap, start)  # B T D
        x = self.decoder(x, memory, mask, cross_mask, tap, cache)  # B T D
        return tap("logits", self.output(x))  # B T V

    def output(self, x: Tensor) -> Tensor:
        """Score every piece against vectors (..., D) with the tied embedding: logits (..., V)."""
        return nn.functional.linear(x, self.embedding.weight)

    def forward(self, src: Tensor, tgt: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Score what follows each target id, given the whole source: logits (B, T, V)."""
        memory, memory_mask = self.encode(src, tap)
        return self.decode(tgt, memory, memory_mask, tap)
