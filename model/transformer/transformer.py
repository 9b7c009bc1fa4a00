"""The encoder-decoder Transformer of "Attention Is All You Need"."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from model.sites.tap import NO_TAP, Tap
from model.transformer.cache import NO_CACHE, Cache, KeyValueCache
from model.transformer.config import ModelConfig
from model.transformer.layers import DecoderLayer, Dropout, EncoderLayer
from model.transformer.masks import causal_mask, padding_mask
from model.transformer.positional import sinusoidal_positions


class Encoder(nn.Module):
    """A stack of encoder layers."""

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create `config.encoder_layers` layers."""
        super().__init__()
        layers = range(config.encoder_layers)
        self.layers = nn.ModuleList(EncoderLayer(config, dropout) for _ in layers)

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
        layers = range(config.decoder_layers)
        self.layers = nn.ModuleList(DecoderLayer(config, dropout) for _ in layers)

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


def first_gain(config: ModelConfig, name: str) -> float:
    """Return the factor of a matrix's Glorot bound when its weights are drawn.

    Values and feed-forward start smaller by DeepNet's beta (arXiv 2203.00555, table 2), so that
    LayerNorm(x + Sublayer(x)) begins close to x. Without it the encoder's positions soon collapsed
    to one and the same vector, and cross-attention stayed uniform.
    """
    if not name.endswith(("v.weight", "out.weight", "hidden.weight")):
        return 1.0
    if name.startswith("encoder"):
        return 0.87 * (config.encoder_layers**4 * config.decoder_layers) ** (-1 / 16)
    return (12 * config.decoder_layers) ** (-1 / 4)


class Transformer(nn.Module):
    """Encoder, decoder and one embedding matrix shared by both and the output (section 3.4).

    In other models the decoder or the output has its own matrix, or the output a bias; see the
    variant in the config.
    """

    output_bias: nn.Parameter | None
    positions: Tensor

    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        """Create the parts with fresh weights."""
        super().__init__()
        self.config = config
        empty = torch.empty(config.vocab_size, config.d_embedding)  # V De
        self.embedding = nn.Embedding.from_pretrained(empty, freeze=False)
        self._add_own_ends(config)
        self.scale = math.sqrt(config.d_model) if config.variant.scaled else 1.0
        self.encoder = Encoder(config, dropout)
        self.decoder = Decoder(config, dropout)
        self.dropout = Dropout(dropout)
        # A checkpoint is loaded into a model on the meta device: drawing weights there would be
        # useless, and would import torch's compiler, which takes over a second.
        if not empty.is_meta:
            self.reset_positions()
            self._initialise()

    def _add_own_ends(self, config: ModelConfig) -> None:
        """Create the matrices that the decoder and the output do not share with the encoder."""
        variant, shape = config.variant, (config.target_vocab_size, config.d_embedding)
        if variant.target_pieces is not None:
            self.decoder_embedding = nn.Parameter(torch.empty(shape))  # V De
        if not variant.tied:
            self.output_matrix = nn.Parameter(torch.empty(shape))  # V De
        bias = nn.Parameter(torch.empty(config.target_vocab_size)) if variant.biased else None  # V
        self.register_parameter("output_bias", bias)
        if config.positions == "learned":
            table = torch.empty(config.max_length, config.d_model)  # P D
            self.register_parameter("positions", nn.Parameter(table))

    def reset_positions(self) -> None:
        """Compute the table of positions; only a learned table is part of the weights."""
        if self.config.positions == "learned":
            return
        layout, embedded = self.config.variant.layout, self.config.d_embedding
        joined = self.config.positions == "joined"
        width = self.config.d_model - (embedded if joined else 0)
        table = sinusoidal_positions(self.config.max_length, width, layout=layout)
        if joined:
            table = nn.functional.pad(table, (embedded, 0))  # P D
        if self.config.positions == "rotary":
            table = torch.zeros_like(table)
        self.register_buffer("positions", table, persistent=False)

    def _initialise(self) -> None:
        """Draw Glorot matrices and zero biases; embeddings get variance 1 / D, to be scaled."""
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter, first_gain(self.config, name))
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)
        matrices = {"embedding.weight", self.config.target_embedding, self.config.output_matrix}
        if self.config.positions == "learned":
            matrices.add("positions")
        for name in matrices:
            nn.init.normal_(self.get_parameter(name), std=self.config.d_model**-0.5)

    @property
    def device(self) -> torch.device:
        """Return where the weights are; ids from elsewhere are taken there."""
        return self.embedding.weight.device

    def embed(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Turn source ids (B, S) into input vectors (B, S, D).

        Raises ValueError when they reach beyond `max_length`.
        """
        return self._enter(self.read(ids, "embedding.weight"), tap)

    def embed_target(self, ids: Tensor, tap: Tap = NO_TAP, start: int = 0) -> Tensor:
        """Turn target ids (B, T) at positions from `start` on into input vectors (B, T, D).

        Raises ValueError when they reach beyond `max_length`.
        """
        return self._enter(self.read(ids, self.config.target_embedding), tap, start)

    def read(self, ids: Tensor, matrix: str) -> Tensor:
        """Return the rows of ids (B, N) in a matrix: (B, N, D), 0 where joined positions stand."""
        rows = nn.functional.embedding(ids.to(self.device), self.get_parameter(matrix))  # B N De
        return nn.functional.pad(rows, (0, self.config.d_model - rows.size(-1)))

    def _enter(self, embedding: Tensor, tap: Tap, start: int = 0) -> Tensor:
        """Scale embeddings (B, S, D) and add their positions."""
        end = start + embedding.size(1)
        if end > self.config.max_length:
            raise ValueError(f"{end} tokens given, at most {self.config.max_length} fit")
        embedding = tap("embedding", embedding * self.scale)  # B S D
        positions = tap("positions", self.positions[start:end].expand_as(embedding))
        return self.dropout(tap("input", embedding + positions))  # B S D

    def encode(self, src: Tensor, tap: Tap = NO_TAP) -> tuple[Tensor, Tensor]:
        """Encode source ids (B, S): the memory (B, S, D) and the source padding mask (B, 1, S)."""
        tap = tap.at("encoder")
        padding = padding_mask(src.to(self.device), self.config.pad_id)  # B 1 S
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
        """Score the piece after each target id (B, T): logits (B, T, V).

        Positions that a cache knows are not computed again: T counts only new positions.
        """
        tap, start = tap.at("decoder"), cache.length
        causal = causal_mask(tgt.size(1), self.device)[start:]  # T start+T
        # Padding is at the end of a target, where no piece looks, so it needs no mask. In Marian's
        # models, padding is also the begin token, which must be visible.
        mask = tap("mask", causal.expand(len(tgt), -1, -1))  # B T start+T
        cross_mask = tap("cross_mask", memory_mask.expand(-1, len(causal), -1))  # B T S
        x = self.embed_target(tgt[:, start:], tap, start)  # B T D
        x = self.decoder(x, memory, mask, cross_mask, tap, cache)  # B T D
        return tap("logits", self.output(x))  # B T V

    def stepping(
        self, memory: Tensor, memory_mask: Tensor, tap: Tap = NO_TAP
    ) -> Callable[[Tensor], Tensor]:
        """Return a scorer of the piece after prefixes (B, T) that grow by one each time: (B, V).

        It keeps keys and values, and serves one run over one memory (B, S, D). The tap gets the new
        positions alone.
        """
        cache = KeyValueCache(self.config.decoder_layers)
        return lambda tgt: self.decode(tgt, memory, memory_mask, tap, cache)[:, -1]

    def output(self, x: Tensor) -> Tensor:
        """Score every piece against vectors (..., D), usually with the embedding: (..., V)."""
        matrix = self.get_parameter(self.config.output_matrix)  # V De
        return nn.functional.linear(x[..., : matrix.size(1)], matrix, self.output_bias)

    def forward(self, src: Tensor, tgt: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Score the piece after each target id, given the whole source: logits (B, T, V)."""
        memory, memory_mask = self.encode(src, tap)
        return self.decode(tgt, memory, memory_mask, tap)
