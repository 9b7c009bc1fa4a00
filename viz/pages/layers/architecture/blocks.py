"""The blocks of the architecture: their recorded sites, titles and purposes."""

from dataclasses import dataclass

from model.sites.sites import Stack
from model.transformer.config import PAPER, Activation, ModelConfig, Positions, Variant
from viz.language.text import _
from viz.language.wording import in_a_row

SOFTMAX = "decoder.softmax"
"""The only block that is not a recorded site: the probabilities of the next piece."""

_NORMS = ("norm1", "norm2", "norm3")
_ENTRY = ("embedding", "positions", "input")
_LAYER: dict[Stack, tuple[str, ...]] = {
    "encoder": ("self_attn.out", "norm1", "ffn.hidden", "ffn.out", "norm2"),
    "decoder": (
        "self_attn.out",
        "norm1",
        "cross_attn.out",
        "norm2",
        "ffn.hidden",
        "ffn.out",
        "norm3",
    ),
}
_EXIT: dict[Stack, tuple[str, ...]] = {"encoder": ("memory",), "decoder": ("logits", "softmax")}


@dataclass(frozen=True)
class Block:
    """One box of the drawing; `site` is the name of its output."""

    site: str
    title: str

    @property
    def stack(self) -> Stack:
        """Return the stack of the block."""
        return "encoder" if self.site.startswith("encoder.") else "decoder"

    @property
    def layer(self) -> int | None:
        """Return the layer of the block, from 0; None outside the layers."""
        part = self.site.split(".")[1]
        return int(part) if part.isdigit() else None


def entry_blocks(stack: Stack) -> tuple[Block, ...]:
    """List the blocks before the first layer, in the order of the pass."""
    return tuple(block(f"{stack}.{name}") for name in _ENTRY)


def layer_blocks(stack: Stack, layer: int) -> tuple[Block, ...]:
    """List the blocks of one layer, from 0, in the order of the pass."""
    return tuple(block(f"{stack}.{layer}.{name}") for name in _LAYER[stack])


def exit_blocks(stack: Stack) -> tuple[Block, ...]:
    """List the blocks after the last layer, in the order of the pass."""
    return tuple(block(f"{stack}.{name}") for name in _EXIT[stack])


def block(site: str) -> Block:
    """Return the block of a site; ValueError when the drawing has none."""
    return Block(site, _titles()[_name(site)])


def purpose(site: str, config: ModelConfig) -> str:
    """Say what the block of a site does in such a model; ValueError as `block`."""
    name, variant = _name(site), config.variant
    match name:
        case "embedding":
            return _embedding(variant)
        case "positions":
            return _positions(config.positions)
        case "ffn.hidden":
            return _first_half(variant.activation)
        case "logits":
            return _scores(variant)
        case _other:
            return _purposes()[name]


def _name(site: str) -> str:
    """Return the name of a block in its stack or its layer; ValueError when there is none."""
    stack, _dot, rest = site.partition(".")
    layer, _dot, inside = rest.partition(".")
    name = inside if layer.isdigit() else rest
    if stack not in _LAYER or name not in _titles():
        raise ValueError(f"no block of the drawing is {site!r}")
    return name


def _titles() -> dict[str, str]:
    return {
        "embedding": _("Embedding"),
        "positions": _("+ Positions"),
        "input": _("Sum"),
        "memory": _("Memory"),
        "logits": _("Linear"),
        "softmax": "Softmax",
        "self_attn.out": _("Self-attention"),
        "cross_attn.out": _("Cross-attention"),
        "ffn.hidden": _("FFN: hidden layer"),
        "ffn.out": _("FFN: output"),
        **dict.fromkeys(_NORMS, _("Add & norm")),
    }


def _purposes() -> dict[str, str]:
    """Say what each block does, for blocks that are alike in all models."""
    norm = _(
        "Adds what the sublayer found to what went in, then gives each piece mean 0 and "
        "variance 1, times a learned gain, plus a bias."
    )
    return {
        "input": _("Embedding plus position: what enters the first layer."),
        "memory": _(
            "The output of the encoder. Every decoder layer's cross-attention looks at it."
        ),
        "softmax": _("Scores become probabilities of the next piece; each row sums to 1."),
        "self_attn.out": _(
            "Every piece gathers from the pieces of its own side: all heads at once, joined by W_O."
        ),
        "cross_attn.out": _(
            "Queries from the decoder, keys and values from the memory of the encoder."
        ),
        "ffn.out": _(
            "Back to the model's width with W2. Like the first half, it is a 1x1 convolution "
            "over the positions: no token sees another here."
        ),
        **dict.fromkeys(_NORMS, norm),
    }


def _embedding(variant: Variant) -> str:
    if variant.scaled:
        row = _("Each piece's row of the embedding table, times √d_model.")
    else:
        row = _("Each piece's row of the embedding table, as it is.")
    if variant.target_pieces is None:
        return row
    return in_a_row((row, _("Encoder and decoder have a table each.")))


def _positions(positions: Positions) -> str:
    return {
        "sinusoid": _("Sines and cosines that tell the layers where a piece stands."),
        "learned": _(
            "A vector for each position, learned in training, that tells the layers where a piece "
            "stands."
        ),
        "rotary": _(
            "Zeros: nothing is added in this model. Every self-attention turns queries and keys by "
            "their positions instead."
        ),
        "joined": _(
            "Sines and cosines in features of their own, where every embedding is 0: the sum puts "
            "embedding and position side by side."
        ),
    }[positions]


def _scores(variant: Variant) -> str:
    if not variant.tied:
        scores = _(
            "A score for every piece of the vocabulary: the dot product with a vector that serves "
            "only here. No embedding table is shared with this layer."
        )
    elif variant.target_pieces is None:
        scores = _(
            "A score for every piece of the vocabulary: the dot product with its embedding. "
            "The same table serves both inputs and the output, so this layer adds no weights."
        )
    else:
        scores = _(
            "A score for every piece of the vocabulary: the dot product with its embedding in the "
            "decoder's table, so this layer has no matrix of its own."
        )
    if not variant.biased:
        return scores
    return in_a_row((scores, _("A learned bias of the piece is added to its score.")))


def _first_half(activation: Activation) -> str:
    """Say what the first half of feed-forward does, by the model's activation."""
    if activation == PAPER.activation:
        return _(
            "max(0, x W1 + b1): wider, and negative numbers become 0. Each token is treated "
            "alone and all alike: a 1x1 convolution over the positions."
        )
    if activation == "none":
        return _(
            "x W1 + b1: wider, and nothing else, so both halves together are one matrix. Each "
            "token is treated alone and all alike: a 1x1 convolution over the positions."
        )
    return _(
        "{activation}(x W1 + b1): wider, and negative numbers shrink towards 0. Each token is "
        "treated alone and all alike: a 1x1 convolution over the positions."
    ).format(activation=activation)
