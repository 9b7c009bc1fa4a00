"""The inputs of every other layer of a model, kept for some sentences of an index.

A search for similar places needs queries, keys and outputs. For 144 heads these would take 55 kB a
piece in half precision, too much for more than some 50 sentences. The input of a layer takes 256
bytes, and every head is less than two layers above a stored input.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from model.decoding.steps import Progress
from model.measures.atlas.running import Enough, Ids, Kept, batches, kept_sites, padded
from model.sites.sites import Head
from model.transformer.config import ModelConfig
from model.transformer.masks import causal_mask, padding_mask
from model.transformer.transformer import Transformer

EVERY, LEVELS = 2, 127
"""The number of layers between two stages, and the largest integer that stores a number."""

MEMORY = "encoder.memory"

Array = NDArray[Any]
Arrays = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class Stages:
    """The vectors of the first sentences of an index, by site.

    `ends` are the ends of these sentences among the pieces of all sources, and of all targets.
    """

    arrays: Arrays
    ends: tuple[NDArray[np.int64], NDArray[np.int64]]

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.ends[0])

    def batch(self, site: str, numbers: Sequence[int]) -> Tensor:
        """Return a site of some sentences, padded with zeros, (B, S, D)."""
        ends = self.ends[site.startswith("decoder.")]
        starts = np.concatenate([[0], ends[:-1]])
        values, scale = self.arrays[_name(site)], self.arrays[f"{_name(site)}.scale"]
        rows = [values[starts[n] : ends[n]].astype(np.float32) * scale for n in numbers]
        return pad_sequence([torch.from_numpy(row) for row in rows], batch_first=True)


def stages_of(arrays: Arrays, lengths: Sequence[tuple[int, int]]) -> Stages | None:
    """Read the stages of an index whose sentences have these lengths; None if it has no stages."""
    if _name("count") not in arrays:
        return None
    some = np.array(lengths[: int(arrays[_name("count")])], np.int64).reshape(-1, 2)
    ends = np.cumsum(some, axis=0)
    stages = {name: arrays[name] for name in arrays if name.startswith(_name(""))}
    return Stages(stages, (ends[:, 0], ends[:, 1]))


def _name(what: str) -> str:
    return f"stage.{what}"


def _first(config: ModelConfig, head: Head) -> int:
    """Return the last layer with a stage at or below the head's layer; 0 means the ids."""
    return min(head.layer, config.layers(head.kind) - 1) // EVERY * EVERY


def _entry(stack: str, layer: int) -> str:
    """Return the name of the site that enters a layer (from 1) of a stack."""
    return f"{stack}.{layer - 1}.{'norm2' if stack == 'encoder' else 'norm3'}"


def _sites(config: ModelConfig) -> Iterator[str]:
    for stack, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        yield from (_entry(stack, layer) for layer in range(EVERY, layers, EVERY))
    yield MEMORY


def stage_arrays(
    model: Transformer,
    rows: Sequence[tuple[Ids, Ids]],
    progress: Progress = lambda _done, _all: None,
) -> dict[str, Array]:
    """Run the first sentences of an index, given as ids; return its arrays of stages.

    Each number is rounded to 1/127 of the largest of its dimension. `benchmarks/atlas.py` compares
    the search results with and without stages.
    """
    sites = sorted(_sites(model.config))
    inputs: dict[str, list[Array]] = {site: [np.zeros(0)] * len(rows) for site in sites}
    done = 0
    for some in batches(model, rows):
        sites_kept = kept_sites(model, [rows[at] for at in some], frozenset(sites))
        for site in sites:
            for row, at in enumerate(some):
                length = len(rows[at][site.startswith("decoder.")])
                inputs[site][at] = sites_kept[site][row, :length].numpy().copy()
        done += len(some)
        progress(done, len(rows))
    arrays: dict[str, Array] = {_name("count"): np.array(len(rows))}
    for site, parts in inputs.items():
        values = np.concatenate(parts)  # P D
        scale = np.maximum(np.abs(values).max(0), 1e-12) / LEVELS
        arrays[_name(site)] = np.rint(values / scale).astype(np.int8)
        arrays[f"{_name(site)}.scale"] = scale.astype(np.float32)
    return arrays


@torch.inference_mode()
def head_sites(
    model: Transformer,
    rows: Sequence[tuple[Ids, Ids]],
    head: Head,
    wanted: frozenset[str],
    stages: Stages | None = None,
    numbers: Sequence[int] = (),
) -> dict[str, Tensor]:
    """Run a batch of sentences and return the `wanted` sites of a head's attention, (B, ...).

    With `stages` the run begins at the last stage before the head, for the sentences `numbers`.
    """
    config = model.config
    entry_layer = _first(config, head)
    if stages is None or (head.kind == "encoder" and not entry_layer):
        return kept_sites(model, rows, wanted)
    source, target = (padded([row[side] for row in rows], config.pad_id) for side in (0, 1))
    seen = padding_mask(source, config.pad_id)  # B 1 S
    tap = Kept(wanted)
    with suppress(Enough):
        if head.kind == "encoder":
            x = stages.batch(_entry("encoder", entry_layer), numbers)  # B S D
            mask = seen.expand(-1, source.size(1), -1)  # B S S
            for number in range(entry_layer, config.encoder_layers):
                x = model.encoder.layers[number](x, mask, tap.at("encoder").at(str(number)))
            return tap.found
        memory = stages.batch(MEMORY, numbers)  # B S D
        entry = _entry("decoder", entry_layer)
        x = stages.batch(entry, numbers) if entry_layer else model.embed_target(target)  # B T D
        causal = causal_mask(target.size(1))  # T T
        masks = causal.expand(len(target), -1, -1), seen.expand(-1, len(causal), -1)
        for number in range(entry_layer, config.decoder_layers):
            x = model.decoder.layers[number](x, memory, *masks, tap.at("decoder").at(str(number)))
    return tap.found
