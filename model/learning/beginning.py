"""The first moment of training: the lengths of the gradients and the sizes of fresh weights."""

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from model.interventions.blocks import LeaveOutNorm
from model.interventions.prepare import prepare
from model.learning.norm_first import NormFirst
from model.sites.sites import STACKS, SUBLAYERS, Stack
from model.sites.tap import Recorder
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer

Rule = Literal["this project's", "Xavier's"]
RULES: tuple[Rule, ...] = ("this project's", "Xavier's")

Norms = Literal["after", "before"]


@dataclass(frozen=True, eq=False)
class FirstGradients:
    """Lengths of the gradient of the feed-forward's W_2, by the norms' place and the stack.

    `lengths[norms, stack]` is (R, L): a row for each draw of weights, a column for each layer.
    """

    lengths: dict[tuple[Norms, Stack], NDArray[np.float64]]

    def middle(self, norms: Norms, stack: Stack) -> NDArray[np.float64]:
        """Return the geometric mean of the draws, (L,)."""
        return np.exp(np.log(self.lengths[norms, stack]).mean(axis=0))


def fresh(config: ModelConfig, rule: Rule, seed: int) -> Transformer:
    """Draw the weights of a model; no other thread may draw while this runs.

    This project follows Glorot and Bengio (2010), but draws smaller matrices for the values and the
    feed-forward network (see `first_gain`); their own rule treats all matrices of a layer alike.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(config).eval()
        if rule == "Xavier's":
            for stack in (model.encoder, model.decoder):
                for parameter in stack.parameters():
                    if parameter.dim() > 1:
                        nn.init.xavier_uniform_(parameter)
    return model


def first_gradients(
    config: ModelConfig,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    rule: Rule,
    seeds: Sequence[int],
) -> FirstGradients:
    """Measure the gradients of the mean cross-entropy of one pair, before the first step.

    The weights are the same for both places of the norms. `target_ids` begin with the begin id and
    end with the end id. Raises ValueError when a side is too long.
    """
    by_place: dict[tuple[Norms, Stack], list[list[float]]] = {}
    for seed in seeds:
        after = fresh(config, rule, seed)
        with torch.random.fork_rng(devices=[]):
            models: dict[Norms, Transformer] = {"after": after, "before": NormFirst(after).eval()}
        for norms, model in models.items():
            _loss(model, source_ids, target_ids).backward()
            for stack in STACKS:
                layers = model.encoder.layers if stack == "encoder" else model.decoder.layers
                gradients = [layer.get_parameter("ffn.out.weight").grad for layer in layers]
                lengths = [float(gradient.norm()) for gradient in gradients if gradient is not None]
                by_place.setdefault((norms, stack), []).append(lengths)
    return FirstGradients({norm_name: np.array(rows) for norm_name, rows in by_place.items()})


def _loss(model: Transformer, source_ids: Sequence[int], target_ids: Sequence[int]) -> Tensor:
    source, target = torch.tensor([source_ids]), torch.tensor([target_ids])
    logits = model(source, target[:, :-1])  # 1 T V
    return nn.functional.cross_entropy(logits[0], target[0, 1:])


def xavier_bound(shape: Sequence[int], gain: float = 1.0) -> float:
    """Return the largest number that the rule draws, uniformly, for a matrix (out, in)."""
    return gain * math.sqrt(6 / sum(shape))


@dataclass(frozen=True, eq=False)
class Sizes:
    """The sizes of vectors on their way through an encoder, as roots of mean squares.

    `added` (2 L,) is the size of each sublayer's output over the size of the vector it is added to,
    in the model as built. `stream` (2 L + 1,) is the size of that vector where all norms are left
    out, the input first.
    """

    added: NDArray[np.float64]
    stream: NDArray[np.float64]


def sizes(model: Transformer, ids: Sequence[int], factor: float) -> Sizes:
    """Pass source ids through a copy whose encoder multiplies all layer matrices by a factor.

    Raises ValueError when there are too many ids.
    """
    model = deepcopy(model)
    layers, sublayers = range(model.config.encoder_layers), SUBLAYERS["encoder"]
    norms = [LeaveOutNorm("encoder", layer, place) for layer in layers for place in sublayers]
    built, bare = Recorder(), Recorder(prepare(norms, model.config).edits)
    with torch.no_grad():
        for parameter in model.encoder.parameters():
            if parameter.dim() > 1:
                parameter *= factor
        for tap in (built, bare):
            model.encode(torch.tensor([ids]), tap)
    passed, without = built.finish(), bare.finish()
    x = [passed["encoder.input"]]
    added: list[float] = []
    stream = [_size(without["encoder.input"])]
    for layer in layers:
        for number, sublayer in enumerate(sublayers, start=1):
            prefix = f"encoder.{layer}"
            added.append(_size(passed[f"{prefix}.{sublayer}.out"]) / _size(x[-1]))
            x.append(passed[f"{prefix}.norm{number}"])
            stream.append(_size(without[f"{prefix}.sum{number}"]))
    return Sizes(np.array(added), np.array(stream))


def _size(vectors: Tensor) -> float:
    return float(vectors.square().mean().sqrt())
