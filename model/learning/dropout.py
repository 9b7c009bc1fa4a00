"""Dropout in action: the same row of the same sentence, drawn several times."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from model.learning.example import batch, frozen
from model.sites.tap import Recorder
from model.transformer.layers import EncoderLayer
from model.transformer.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Draws:
    """The decoder's input at one row, without dropout and in each draw; read-only.

    `inputs` are (1 + draws, D), and `probabilities` of the next piece (1 + draws, V); the first row
    of each is without dropout. Dropped values are 0, all others are divided by 1 - rate.
    """

    rate: float
    inputs: NDArray[np.float32]
    probabilities: NDArray[np.float32]


@torch.no_grad()
def draws(
    model: Transformer,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    row: int,
    rate: float,
    seeds: Sequence[int],
) -> Draws:
    """Pass a pair through the model in training mode, once for each seed.

    The model itself stays unchanged: a twin with the same weights does the work. `target_ids` have
    the begin token first and the end token last. torch's random state is restored, but no other
    thread may draw meanwhile. Raises ValueError when there is no such row or rate.
    """
    source, target_in, _targets = batch(source_ids, target_ids)
    if not 0 <= row < target_in.size(1):
        raise ValueError(f"row must be 0 to {target_in.size(1) - 1}, not {row}")
    twin = twin_of(model, rate)
    inputs = [model.embed_target(target_in)[0, row]]
    logits = [model(source, target_in)[0, row]]
    with torch.random.fork_rng(devices=[]):
        for seed in seeds:
            torch.manual_seed(seed)
            memory, memory_mask = twin.encode(source)
            # Seed once more, so that the pass below begins with the very draw shown here.
            torch.manual_seed(seed)
            inputs.append(twin.embed_target(target_in)[0, row])  # D
            torch.manual_seed(seed)
            logits.append(twin.decode(target_in, memory, memory_mask)[0, row])  # V
    return Draws(rate, frozen(torch.stack(inputs)), frozen(torch.stack(logits).softmax(dim=-1)))


@dataclass(frozen=True, eq=False)
class AttentionDraws:
    """One row of a head, without dropout and in each draw; read-only.

    `weights` (1 + draws, S) are those after dropout, and `z` (1 + draws, Dk) is the head's output;
    the first row of each is without dropout.
    """

    rate: float
    weights: NDArray[np.float32]
    z: NDArray[np.float32]


@torch.no_grad()
def attention_draws(
    model: Transformer,
    source_ids: Sequence[int],
    place: tuple[int, int, int],
    rate: float,
    seeds: Sequence[int],
) -> AttentionDraws:
    """Compute one row of an encoder head in training mode, once for each seed.

    `place` is the layer, the head and the row. Everything before that layer runs without dropout,
    so only the dropout of its weights makes a difference. The model and torch's random state are
    handled as in `draws`. Raises ValueError when there is no such place or rate.
    """
    layer, head, row = place
    limits = model.config.encoder_layers, model.config.heads, len(source_ids)
    if not all(0 <= index < limit for index, limit in zip(place, limits, strict=True)):
        raise ValueError(f"layer, head and row must be below {limits}, not {place}")
    source, recorder = torch.tensor([list(source_ids)]), Recorder()
    model.encode(source, recorder)
    before = f"encoder.{layer - 1}.norm2" if layer else "encoder.input"
    x, mask = recorder.recorded[before], recorder.recorded["encoder.mask"]
    module = cast("EncoderLayer", twin_of(model, rate).encoder.layers[layer]).self_attn
    weights = [recorder.recorded[f"encoder.{layer}.self_attn.weights"]]  # 1 H S S
    outputs = [recorder.recorded[f"encoder.{layer}.self_attn.z"]]  # 1 H S Dk
    with torch.random.fork_rng(devices=[]):
        for seed in seeds:
            torch.manual_seed(seed)
            drawn = Recorder()
            module(x, x, mask, drawn)
            outputs.append(drawn.recorded["z"])
            torch.manual_seed(seed)  # the very draw that made z
            weights.append(module.dropout(drawn.recorded["weights"]))
    return AttentionDraws(
        rate,
        frozen(torch.stack([drawn[0, head, row] for drawn in weights])),
        frozen(torch.stack([drawn[0, head, row] for drawn in outputs])),
    )


def twin_of(model: Transformer, rate: float) -> Transformer:
    """Make a model in training mode, with this dropout, that shares the weights of `model`."""
    with torch.device("meta"):
        twin = Transformer(model.config, rate)
    twin.load_state_dict(model.state_dict(), assign=True)
    twin.reset_positions()
    return twin.train()
