"""Parameters and multiply-adds of each block, and the terms of the paper's table 1."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.transformer.config import ModelConfig
from viz.language.text import _


@dataclass(frozen=True)
class Sizes:
    """The sizes of a Transformer and of one sentence pair: `source` and `target` pieces."""

    config: ModelConfig
    source: int
    target: int


@dataclass(frozen=True)
class Cost:
    """One kind of block: how many there are in the model, and the cost of each."""

    block: str
    times: int
    parameters: int
    multiply_adds: int
    formula: str


def costs(sizes: Sizes) -> tuple[Cost, ...]:
    """Count the cost of all blocks, for one pass through the encoder and one through the decoder.

    Multiply-adds with weights and between vectors count. Softmax, norms, sums and biases, a small
    rest, do not. Masked scores are computed, so they count.
    """
    config, s, t = sizes.config, sizes.source, sizes.target
    width, inner, outer = config.d_model, config.encoder_layers, config.decoder_layers
    attention = 4 * (width * width + width)
    feed = 2 * width * config.d_ff + config.d_ff + width

    def looking(queries: int, keys: int) -> int:
        own = 2 * (queries + keys) * width * width
        return own + 2 * queries * keys * width

    def fed(count: int) -> int:
        return 2 * count * width * config.d_ff

    *embeddings, output = _tables(config, t)
    return (
        *embeddings,
        Cost(_("Encoder self-attention"), inner, attention, looking(s, s), "4 S d² + 2 S² d"),
        Cost(_("Encoder feed-forward"), inner, feed, fed(s), "2 S d F"),
        Cost(_("Encoder norms, both"), inner, 4 * width, 0, ""),
        Cost(_("Decoder self-attention"), outer, attention, looking(t, t), "4 T d² + 2 T² d"),
        Cost(_("Cross-attention"), outer, attention, looking(t, s), "2 T d² + 2 S d² + 2 T S d"),
        Cost(_("Decoder feed-forward"), outer, feed, fed(t), "2 T d F"),
        Cost(_("Decoder norms, all three"), outer, 6 * width, 0, ""),
        output,
    )


def _tables(config: ModelConfig, target: int) -> list[Cost]:
    """Count the tables of pieces: the embeddings and, last, the output layer."""
    sizes = config.vocab_size, config.target_vocab_size
    read, scored = (size * config.d_embedding for size in sizes)
    variant, work = config.variant, (target * scored, "T d V")
    bias = config.target_vocab_size if variant.biased else 0
    if variant.target_pieces is None and variant.tied:
        shared = Cost(_("Output layer, shared with the embedding"), 1, bias, *work)
        return [Cost(_("Embedding, shared with the output"), 1, read, 0, ""), shared]
    costs = [Cost(_("Embedding"), 1, read, 0, "")]
    if variant.target_pieces is not None:
        costs = [
            Cost(_("Embedding of the source"), 1, read, 0, ""),
            Cost(_("Embedding of the target"), 1, scored, 0, ""),
        ]
    if variant.tied:
        last = Cost(_("Output layer, shared with the target's embedding"), 1, bias, *work)
    else:
        last = Cost(_("Output layer"), 1, scored + bias, *work)
    return [*costs, last]


@dataclass(frozen=True)
class LayerType:
    """A row of the paper's table 1: three formulas, and their values for one sentence.

    `operations` counts a layer's operations without constants, `sequential` the operations that
    wait for each other, and `path` is the largest number of steps between two positions.
    """

    name: str
    formulas: tuple[str, str, str]
    operations: int
    sequential: int
    path: int


def table_one(n: int, width: int, kernel: int, reach: int) -> tuple[LayerType, ...]:
    """Return table 1 of the paper for n pieces, width d, kernel k and the neighbourhood r."""
    hops = max(1, math.ceil(math.log(n, kernel) - 1e-9))
    near = min(reach, n)
    return (
        LayerType(_("self-attention"), ("n² d", "1", "1"), n * n * width, 1, 1),
        LayerType(_("recurrent"), ("n d²", "n", "n"), n * width**2, n, n),
        LayerType(_("convolutional"), ("k n d²", "1", "⌈log_k n⌉"), kernel * n * width**2, 1, hops),
        LayerType(
            _("self-attention, restricted"),
            ("r n d", "1", "⌈n / r⌉"),
            near * n * width,
            1,
            math.ceil(n / near),
        ),
    )


@dataclass(frozen=True, eq=False)
class Growth:
    """The terms of the paper's table 1 for one layer, by lengths n, without constants."""

    n: NDArray[np.float64]
    attention: NDArray[np.float64]
    recurrence: NDArray[np.float64]
    convolution: NDArray[np.float64]


def growth(n: NDArray[np.float64], width: int, kernel: int) -> Growth:
    """Return n^2 d, n d^2 and k n d^2 for lengths n, width d and kernel k."""
    return Growth(n, n**2 * width, n * width**2, kernel * n * width**2)
