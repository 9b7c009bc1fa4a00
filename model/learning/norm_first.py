"""The Transformer with its norms before the sublayers: x + Sublayer(LayerNorm(x)).

The paper puts the norms after the sums, LayerNorm(x + Sublayer(x)). Xiong et al. (arXiv 2002.04745)
compare both at the start of training. As in their model, each stack ends with a last norm.
"""

from torch import Tensor, nn

from model.sites.tap import NO_TAP, Tap
from model.transformer.cache import NO_CACHE, NOTHING_KEPT, Cache, LayerCache
from model.transformer.config import ModelConfig
from model.transformer.layers import DecoderLayer, EncoderLayer
from model.transformer.transformer import Decoder, Encoder, Transformer


class NormFirstEncoderLayer(EncoderLayer):
    """Self-attention, then feed-forward, each as x + Sublayer(LayerNorm(x))."""

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map (B, S, D) to (B, S, D)."""
        normed = self.norm1(x)  # B S D
        x = x + self.dropout(self.self_attn(normed, normed, mask, tap.at("self_attn")))  # B S D
        return x + self.dropout(self.ffn(self.norm2(x), tap.at("ffn")))  # B S D


class NormFirstDecoderLayer(DecoderLayer):
    """Self-attention, attention to the memory, feed-forward: x + Sublayer(LayerNorm(x)) each."""

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
        normed = self.norm1(x)  # B T D
        attended = self.self_attn(normed, normed, mask, tap.at("self_attn"), kept.own)  # B T D
        x = x + self.dropout(attended)  # B T D
        looking = self.norm2(x), memory, cross_mask
        x = x + self.dropout(self.cross_attn(*looking, tap.at("cross_attn"), kept.memory))  # B T D
        return x + self.dropout(self.ffn(self.norm3(x), tap.at("ffn")))  # B T D


class NormFirstEncoder(Encoder):
    """A stack of encoder layers with norms first, and a norm at its end."""

    def __init__(self, config: ModelConfig) -> None:
        """Create `config.encoder_layers` layers."""
        super().__init__(config)
        layers = range(config.encoder_layers)
        self.layers = nn.ModuleList(NormFirstEncoderLayer(config) for _ in layers)
        self.norm = nn.LayerNorm(config.d_model)

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Map input vectors (B, S, D) to the memory (B, S, D)."""
        return self.norm(super().forward(x, mask, tap))  # B S D


class NormFirstDecoder(Decoder):
    """A stack of decoder layers with norms first, and a norm at its end."""

    def __init__(self, config: ModelConfig) -> None:
        """Create `config.decoder_layers` layers."""
        super().__init__(config)
        layers = range(config.decoder_layers)
        self.layers = nn.ModuleList(NormFirstDecoderLayer(config) for _ in layers)
        self.norm = nn.LayerNorm(config.d_model)

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
        return self.norm(super().forward(x, memory, mask, cross_mask, tap, cache))  # B T D


class NormFirst(Transformer):
    """A Transformer whose norms come first."""

    def __init__(self, model: Transformer) -> None:
        """Copy all weights of a model whose norms come after the sums."""
        super().__init__(model.config)
        self.encoder, self.decoder = NormFirstEncoder(model.config), NormFirstDecoder(model.config)  # pyrefly: ignore[bad-override-mutable-attribute]
        self.load_state_dict(
            model.state_dict(), strict=False
        )  # the model with norms after the sums has none at the end
