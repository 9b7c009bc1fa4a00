"""The time that an encoder takes on this machine, by the length of the source."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from model.families import Network


@dataclass(frozen=True)
class EncoderTime:
    """The fastest of several runs over one source of `length` pieces, in milliseconds."""

    length: int
    milliseconds: float


@torch.inference_mode()
def encoder_times(
    network: Network, lengths: Sequence[int], repeats: int = 5
) -> tuple[EncoderTime, ...]:
    """Time the encoder on random pieces; ValueError for a length that the model cannot take."""
    longest, vocabulary = network.config.max_length, network.config.vocab_size
    if wrong := [length for length in lengths if not 1 <= length <= longest]:
        raise ValueError(f"lengths must be 1 to {longest}, not {wrong}")
    generator = torch.Generator().manual_seed(0)
    special = max(network.config.pad_id, network.config.begin_id, network.config.end_id)
    times: list[EncoderTime] = []
    for length in lengths:
        ids = torch.randint(special + 1, vocabulary, (1, length), generator=generator)
        network.encode(ids)  # the first run of a size is slower
        best = min(_seconds(network, ids) for _ in range(repeats))
        times.append(EncoderTime(length, 1000 * best))
    return tuple(times)


def _seconds(network: Network, ids: torch.Tensor) -> float:
    started = time.perf_counter()
    network.encode(ids)
    return time.perf_counter() - started
