"""The counted cost of writing a translation, with and without the cache of keys and values.

The products are counted where torch multiplies, in the run itself. `expected` counts them from the
sizes, so that the two counts can be compared.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from model.decoding.steps import Progress, normalised
from model.transformer.cache import NO_CACHE, KeyValueCache
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


@dataclass(frozen=True)
class StepCost:
    """One step of greedy decoding.

    `given` pieces precede the new piece; `computed` of their vectors are computed in this step,
    and the keys and values kept afterwards take `kept_bytes`.
    """

    given: int
    computed: int
    multiply_adds: int
    kept_bytes: int
    seconds: float


@dataclass(frozen=True)
class DecodingCost:
    """The same translation, T steps, with the cache and without it.

    `ids` are what both wrote, with the end id unless the limit came first. `largest_difference` is
    that of any logit between the two. Raises ValueError when the translations differ.
    """

    source: int
    ids: tuple[int, ...]
    cached: tuple[StepCost, ...]
    afresh: tuple[StepCost, ...]
    largest_difference: float


class Products(TorchDispatchMode):
    """A context that counts the multiplications in all matrix products of this thread."""

    def __init__(self) -> None:
        """Start from zero."""
        super().__init__()
        self.count = 0

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        """Run an operator unchanged and count it, by torch's own table of multiplications."""
        named = kwargs or {}
        out = func(*args, **named)
        if flops := flop_registry.get(func.overloadpacket):
            self.count += (
                flops(*args, **named, out_val=out) // 2
            )  # torch counts a multiply-add as two
        return out


def unheard(done: int, all_: int) -> None:
    """Take a report of progress and drop it."""


@torch.no_grad()
def decoding_cost(
    model: Transformer, source_ids: Sequence[int], longest: int, progress: Progress = unheard
) -> DecodingCost:
    """Write a translation with and without the cache, in at most `longest` steps, and count.

    Each way runs twice, as counting itself takes time. The counted run comes first, so that no
    measured time includes a cold start. Reports its progress.
    """
    read = model.encode(torch.tensor([source_ids]))
    runs: list[_Written] = []
    for number, (keeps, counts) in enumerate(product((True, False), (True, False))):
        progress(number, 4)
        cache = KeyValueCache(model.config.decoder_layers) if keeps else None
        runs.append(_write(model, read, longest, cache, counts))
    cached, timed, afresh, timed_afresh = runs
    if cached.ids != afresh.ids:
        raise ValueError(f"the model wrote {cached.ids}, and without its cache {afresh.ids}")
    difference = (torch.stack(cached.logits) - torch.stack(afresh.logits)).abs().max()
    return DecodingCost(
        len(source_ids),
        tuple(cached.ids[1:]),
        cached.steps_taking(timed),
        afresh.steps_taking(timed_afresh),
        float(difference),
    )


@dataclass(frozen=True)
class _Written:
    """Ids from the begin id on; each step's cost, and the logits (V,) that decided it."""

    ids: list[int]
    steps: list[StepCost]
    logits: list[Tensor]

    def steps_taking(self, timed: "_Written") -> tuple[StepCost, ...]:
        """Return the steps with the times of the same run without counting."""
        pairs = zip(self.steps, timed.steps, strict=True)
        return tuple(replace(step, seconds=timed_step.seconds) for step, timed_step in pairs)


def _write(
    model: Transformer,
    read: tuple[Tensor, Tensor],
    longest: int,
    cache: KeyValueCache | None,
    counts: bool,
) -> _Written:
    """Decode greedily from a memory and its mask."""
    end, used = model.config.end_id, cache or NO_CACHE
    written = _Written([model.config.begin_id], [], [])
    ids = written.ids
    while len(written.steps) < longest and (len(ids) == 1 or ids[-1] != end):
        cached, products, started = used.length, Products(), time.perf_counter()
        with products if counts else nullcontext():
            row = model.decode(torch.tensor([ids]), *read, cache=used)[0, -1]  # V
        seconds = time.perf_counter() - started
        cache_bytes = cache.nbytes if cache else 0
        prefix_length = len(ids)
        written.steps.append(
            StepCost(prefix_length, prefix_length - cached, products.count, cache_bytes, seconds)
        )
        written.logits.append(row)
        ids.append(int(normalised(row, model.config.banned_ids).argmax()))
    return written


def expected(config: ModelConfig, step: StepCost, source: int, reads_memory: bool) -> int:
    """Count the multiplications of a step from the sizes alone.

    `source` is the number of source pieces; `reads_memory` is True if the step computes their keys
    and values. Every computed position is also scored against the vocabulary.
    """
    n, width = step.computed, config.d_model
    self_attention = 4 * n * width**2 + 2 * n * step.given * width
    cross = 2 * n * width**2 + 2 * n * source * width
    memory = 2 * source * width**2 if reads_memory else 0
    feed = 2 * n * width * config.d_ff
    layers = config.decoder_layers * (self_attention + cross + memory + feed)
    return layers + n * config.target_vocab_size * width


def kept_bytes(config: ModelConfig, given: int, source: int, groups: int) -> int:
    """Count the bytes of keys and values in single precision; `groups` of heads share them."""
    numbers = 2 * config.decoder_layers * (given + source) * groups * config.d_k
    return 4 * numbers
