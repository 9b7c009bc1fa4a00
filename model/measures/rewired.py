"""The model rewired: each function runs it as some introductions wrongly describe it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from model.measures.likelihood import log_probs_of
from model.sites.tap import NO_TAP, Editor
from model.transformer.cache import KeyValueCache
from model.transformer.layers import DecoderLayer, EncoderLayer, add_and_norm
from model.transformer.masks import causal_mask
from model.transformer.transformer import Transformer


@torch.no_grad()
def exchanged_log_prob(
    model: Transformer, source_ids: Sequence[int], target_ids: Sequence[int]
) -> float:
    """Swap the sides of cross-attention: queries from the encoder, values from the decoder.

    `target_ids` have the begin id first and the end id last. Returns the log-probability of the
    target, in nats. Raises ValueError where the model cannot run: the result has one vector for
    each source piece, while each decoder input needs one.
    """
    memory, _ = model.encode(torch.tensor([source_ids]))  # 1 S D
    inputs = torch.tensor([target_ids[:-1]])  # 1 T
    x, causal = model.embed_target(inputs), causal_mask(inputs.size(1)).unsqueeze(0)
    everything = torch.ones(1, 1, inputs.size(1), dtype=torch.bool)  # 1 1 T
    for layer in cast("list[DecoderLayer]", list(model.decoder.layers)):
        attended = layer.self_attn(x, x, causal)  # 1 T D
        x = add_and_norm(layer.norm1, x, attended, NO_TAP, 1)  # 1 T D
        crossed = layer.cross_attn(memory, x, everything)  # 1 S D
        if crossed.shape != x.shape:
            raise ValueError(f"{crossed.size(1)} vectors come back for {x.size(1)} pieces")
        x = add_and_norm(layer.norm2, x, crossed, NO_TAP, 2)  # 1 T D
        x = add_and_norm(layer.norm3, x, layer.ffn(x), NO_TAP, 3)  # 1 T D
    return float(log_probs_of(target_ids[1:], model.output(x)[0]).sum())


@dataclass(frozen=True)
class Alone:
    """The largest change, by sublayer, of a vector when all other pieces are taken away."""

    attention: float
    feed_forward: float


@torch.no_grad()
def alone(model: Transformer, source_ids: Sequence[int], position: int) -> Alone:
    """Run the encoder's first layer for one piece, with and without all other pieces.

    Raises ValueError when there is no such place.
    """
    if not 0 <= position < len(source_ids):
        raise ValueError(f"position must be 0 to {len(source_ids) - 1}, not {position}")
    x = model.embed(torch.tensor([source_ids]))  # 1 S D
    layer = cast("EncoderLayer", model.encoder.layers[0])
    row = slice(position, position + 1)

    def attended(some: Tensor, at: slice) -> Tensor:
        everything = torch.ones(1, 1, some.size(1), dtype=torch.bool)
        return layer.self_attn(some, some, everything)[:, at]  # 1 1 D

    normed = layer.norm1(x + layer.self_attn(x, x, torch.ones(1, 1, x.size(1), dtype=torch.bool)))
    return Alone(
        float((attended(x, row) - attended(x[:, row], slice(None))).abs().max()),
        float((layer.ffn(normed)[:, row] - layer.ffn(normed[:, row])).abs().max()),
    )


@torch.no_grad()
def cached_without_mask(
    model: Transformer, source_ids: Sequence[int], target_ids: Sequence[int]
) -> float:
    """Score a target step by step with a cache and no look-ahead mask, and with the mask.

    `target_ids` begin with the begin id. Returns the largest difference of any logit.
    """
    memory, padding = model.encode(torch.tensor([source_ids]))
    lifted = Editor({"decoder.mask": torch.ones_like})
    cache = KeyValueCache(model.config.decoder_layers)
    rows = [
        model.decode(torch.tensor([target_ids[:end]]), memory, padding, lifted, cache)[0, -1]
        for end in range(1, len(target_ids) + 1)
    ]
    masked = model.decode(torch.tensor([target_ids]), memory, padding)[0]  # T V
    return float((torch.stack(rows) - masked).abs().max())
