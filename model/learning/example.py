"""One training example as the trainer sees it: inputs, expected outputs and loss."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.decoding.cached_scorer import CachedScorer
from model.learning.cross_entropy import smoothed_cross_entropy
from model.sites.tap import NO_TAP, Editor, Tap
from model.transformer.transformer import Transformer
from model.translator import Translator


@dataclass(frozen=True)
class Smoothing:
    """A smoothed target over V pieces (section 5.4).

    `right` is the share of the right piece, 1 - eps + eps/V, and `other` the share of each other
    piece, eps/V. `floor` is the entropy of these shares in nats: no model has a lower loss.
    """

    epsilon: float
    right: float
    other: float
    floor: float


@dataclass(frozen=True, eq=False)
class TrainingExample:
    """A pair of sentences as the trainer sees it, and the model's output for it; read-only.

    Row t of T is given `input_tokens[t]` (the target shifted right, begin token first) and must
    answer `target_tokens[t]` (end token last). `mask` (T, T) is True where a row may look; `blind`
    are the rows without any key. `probabilities` is (T, V). `losses` (T,) is -log p of the right
    piece and `smoothed` (T,) the loss against the smoothed target, both in nats a row. `loss` is
    the mean of `smoothed`: the result of the trainer's loss function.
    """

    source_tokens: tuple[str, ...]
    input_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    source_ids: tuple[int, ...]
    input_ids: tuple[int, ...]
    target_ids: tuple[int, ...]
    mask: NDArray[np.bool_]
    blind: tuple[int, ...]
    probabilities: NDArray[np.float32]
    losses: NDArray[np.float32]
    smoothed: NDArray[np.float32]
    loss: float
    smoothing: Smoothing


@dataclass(frozen=True, eq=False)
class OneByOne:
    """-log p of each right piece (T,), in nats: from one pass over all rows, and row after row.

    The second way is how a translation is made: row t is computed once all earlier rows are known.
    """

    at_once: NDArray[np.float32]
    one_by_one: NDArray[np.float32]


def smoothing(epsilon: float, vocabulary: int) -> Smoothing:
    """Spread a share of the target over all pieces; ValueError unless 0 <= epsilon < 1."""
    if not 0 <= epsilon < 1:
        raise ValueError(f"label smoothing must be at least 0 and below 1, not {epsilon}")
    other = epsilon / vocabulary
    right = 1 - epsilon + other
    spread = (vocabulary - 1) * other * math.log(other) if epsilon else 0.0
    return Smoothing(epsilon, right, other, abs(right * math.log(right) + spread))


def batch(source_ids: Sequence[int], target_ids: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
    """Return source (1, S), decoder input (1, T) and targets (T,) of one pair.

    `target_ids` (T + 1) have the begin token first and the end token last, as in the trainer.
    """
    target = torch.tensor([list(target_ids)])  # 1 T+1
    return torch.tensor([list(source_ids)]), target[:, :-1], target[0, 1:]


@torch.inference_mode()
def training_example(
    translator: Translator,
    ids: tuple[Sequence[int], Sequence[int]],
    epsilon: float = 0.1,
    own_position: bool = True,
) -> TrainingExample:
    """Pass a pair through the model once and measure every row with the trainer's loss.

    `ids` are those of `translator.pair_ids`. With `own_position` False no row may look at its own
    position: the diagonal of the look-ahead mask is closed too, and the first row, which has no
    keys, takes zeros from self-attention. Raises ValueError when epsilon is not a share.
    """
    model, (source_ids, target_ids) = translator.model, ids
    smooth = smoothing(epsilon, model.config.target_vocab_size)
    source, inputs, targets = batch(source_ids, target_ids)
    mask = _rows_see(inputs.size(1), own_position)  # T T
    tap = NO_TAP if own_position else _without_diagonal(model, mask)
    logits = model(source, inputs, tap)[0]  # T V
    pad_id = model.config.pad_id
    source_tokenizer, target_tokenizer = translator.tokenizers
    return TrainingExample(
        source_tokens=tuple(source_tokenizer.tokens(list(source_ids))),
        input_tokens=tuple(target_tokenizer.tokens(inputs[0].tolist())),
        target_tokens=tuple(target_tokenizer.tokens(targets.tolist())),
        source_ids=tuple(source_ids),
        input_ids=tuple(inputs[0].tolist()),
        target_ids=tuple(targets.tolist()),
        mask=frozen(mask),
        blind=tuple((~mask.any(dim=-1)).nonzero().flatten().tolist()),
        probabilities=frozen(logits.softmax(dim=-1)),
        losses=_row_losses(logits, targets, 0.0, pad_id),
        smoothed=_row_losses(logits, targets, epsilon, pad_id),
        loss=float(smoothed_cross_entropy(logits, targets, epsilon, pad_id)),
        smoothing=smooth,
    )


@torch.inference_mode()
def one_by_one(
    model: Transformer, source_ids: Sequence[int], target_ids: Sequence[int]
) -> OneByOne:
    """Compute all rows at once, as in training, and row after row, as in translation."""
    source, inputs, targets = batch(source_ids, target_ids)
    memory, memory_mask = model.encode(source)  # 1 S D
    together = model.decode(inputs, memory, memory_mask)[0]  # T V
    scorer = CachedScorer(model, memory, memory_mask)
    single = torch.cat([scorer(inputs[:, : row + 1]) for row in range(inputs.size(1))])  # T V
    pad_id = model.config.pad_id
    return OneByOne(
        _row_losses(together, targets, 0.0, pad_id), _row_losses(single, targets, 0.0, pad_id)
    )


def frozen(tensor: Tensor) -> NDArray[Any]:
    """Copy a tensor into a read-only array."""
    array = np.array(tensor.detach().numpy(), order="C")
    array.setflags(write=False)
    return array


def _rows_see(length: int, own_position: bool) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril(0 if own_position else -1)  # T T


def _without_diagonal(model: Transformer, mask: Tensor) -> Tap:
    """Return a tap that hides each row from itself; a row without any key gets weights of 0."""
    some = mask.any(dim=-1)[:, None]  # T 1
    layers = range(model.config.decoder_layers)
    attend = {
        f"decoder.{layer}.self_attn.weights": lambda weights: weights.where(some, 0)  # 1 H T T
        for layer in layers
    }
    return Editor({"decoder.mask": lambda causal: causal & mask, **attend})


def _row_losses(logits: Tensor, targets: Tensor, epsilon: float, pad_id: int) -> NDArray[Any]:
    """Return the trainer's loss (T,) of each single row of logits (T, V)."""
    rows = zip(logits.split(1), targets.split(1), strict=True)
    return frozen(
        torch.stack([smoothed_cross_entropy(row, target, epsilon, pad_id) for row, target in rows])
    )
