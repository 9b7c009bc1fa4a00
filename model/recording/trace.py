"""Activation patching of a whole model: the effect of each single vector of another sentence.

Every cell of a map is a separate run, in which one vector is taken from a run of the other
sentence. The runs are rows of one batch. A row joins the batch at the layer where its vector is put
in; before that, it equals the unchanged run. B is the batch, S the source, T the target up to the
deciding step, D the model width, H the heads, Dk the width of a head, V the vocabulary.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.decoding.steps import Progress
from model.interventions.donors import partners
from model.interventions.patches import PatchActivation, of_source
from model.sites.sites import KINDS, STACKS, SUBLAYERS, Kind, Stack, attention_site, stack_output
from model.sites.tap import Edit, Editor, Recorder
from model.transformer.config import ModelConfig
from model.transformer.masks import causal_mask
from model.transformer.transformer import Transformer

Part = Literal["residual", "sublayer", "z", "q", "k", "v"]
PARTS: tuple[Part, ...] = get_args(Part)
"""The kinds of vectors that are patched: residual stream, sublayer output, or part of a head."""

MEMORY = "encoder.memory"
_ROWS = 64
"""The number of runs in one batch."""


@dataclass(frozen=True)
class Decided:
    """The step that decides: the ids before it, and the id with which each sentence continues.

    `prefix` starts with the begin id.
    """

    prefix: tuple[int, ...]
    pieces: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Trace:
    """How far each vector of another sentence, the donor, moves the answer towards the donor's.

    A cell is 0 where the log-odds of the two deciding pieces stay as in this sentence, and 1 where
    they become those of the donor. It is NaN where the token has no partner in the donor, or was
    not asked for. With `restored`, the run is the donor's and the vector is this sentence's; the
    scale is the same, so a cell is 0 where that vector alone brings back this sentence's answer.

    `maps` are by stack (token, column) for the residual stream and for sublayers, and by kind of
    attention (layer, head, token) for heads. Rows of the decoder end with the step that decides.
    `sites` names the site of each column or layer, `ids` are those of both sources, and `leads` the
    log-odds of the first deciding piece over the second in this sentence and in the donor.
    """

    part: Part
    restored: bool
    ids: tuple[tuple[int, ...], tuple[int, ...]]
    donor: str
    decided: Decided
    leads: tuple[float, float]
    sites: Mapping[Kind, tuple[str, ...]]
    maps: Mapping[Kind, NDArray[np.float64]]

    @property
    def encoder(self) -> NDArray[np.float64]:
        """Return the map of the encoder: (S, columns), or (L, H, S) for heads."""
        return self.maps["encoder"]

    @property
    def decoder(self) -> NDArray[np.float64]:
        """Return the map of the decoder: (T, columns), or (L, H, T) for self-attention heads."""
        return self.maps["decoder"]

    @property
    def cross(self) -> NDArray[np.float64]:
        """Return the map of cross-attention's heads: (L, H, T), or (L, H, S) for "k" and "v"."""
        return self.maps["cross"]

    @property
    def partners(self) -> tuple[int | None, ...]:
        """Return the donor's partner of each source piece."""
        return tuple(partners(*self.ids))

    def patch(self, kind: Kind, *cell: int) -> PatchActivation:
        """Return the intervention of a cell, given its indices in the map of a stack or kind."""
        if self.maps[kind].ndim == 2:
            token, column = cell
            return PatchActivation(self.sites[kind][column], token, self.donor)
        layer, head, token = cell
        return PatchActivation(self.sites[kind][layer], token, self.donor, head)


@dataclass(frozen=True, eq=False)
class _Variant:
    """One run: the site, token and head at which a vector is put in, and that vector."""

    site: str
    position: int
    head: int | None
    vector: Tensor

    @property
    def layer(self) -> int:
        """Return the first layer of its stack that reads the vector, or the layer that makes it."""
        _, number, part = [*self.site.split("."), ""][:3]
        return int(number) + part.startswith("norm") if number.isdigit() else 0


class Pass:
    """A sentence and the beginning of its translation: its activations, and runs with changes."""

    def __init__(
        self, model: Transformer, source_ids: Sequence[int], prefix: Sequence[int]
    ) -> None:
        """Run the model once."""
        recorder = Recorder()
        self._model, self._prefix = model, torch.tensor([prefix])
        source = torch.tensor([source_ids])
        self.logits = model(source, self._prefix, recorder)[0]  # T V
        self._recorded = recorder.recorded
        seen = torch.ones(1, 1, len(source_ids), dtype=torch.bool)  # 1 1 S
        self._seen = seen.to(model.device)

    def vector(self, site: str, position: int, head: int | None) -> Tensor:
        """Return a token's vector at a site, (D,), or that of one of its heads (Dk,)."""
        vectors = self._recorded[site][0, ..., position, :]  # D or H Dk
        return vectors if head is None else vectors[head]

    def after(self, variants: Sequence[_Variant]) -> Tensor:
        """Return the logits of the last step (N, V) in runs that each differ in one vector.

        All of them change the same stack, and are sorted by the layer at which they part.
        """
        in_encoder = variants[0].site.startswith("encoder.")
        memory = self._recorded[MEMORY]  # 1 S D
        if in_encoder:
            memory = self._through("encoder", variants)  # N S D
            rows = self._recorded["decoder.input"].expand(len(variants), -1, -1)  # N T D
            causal = causal_mask(rows.size(1), rows.device).unsqueeze(0)  # 1 T T
            rows = self._model.decoder(rows, memory, causal, self._seen)  # N T D
        else:
            rows = self._through("decoder", variants)  # N T D
        return self._model.output(rows[:, -1])  # N V

    def _through(self, stack: Stack, variants: Sequence[_Variant]) -> Tensor:
        """Return the output of a stack (N, n, D); a run joins the batch where it parts."""
        memory = self._recorded[MEMORY]  # 1 S D
        causal = causal_mask(self._prefix.size(1), memory.device).unsqueeze(0)  # 1 T T
        own = self._recorded[f"{stack}.input"]  # 1 n D
        x = own[:0]  # 0 n D
        layers = self._model.encoder.layers if stack == "encoder" else self._model.decoder.layers
        for number in range(len(layers) + 1):
            before = stack_output(stack, number - 1)
            joining = sum(variant.layer == number for variant in variants)
            x = torch.cat([x, self._recorded[before].expand(joining, -1, -1)])  # N n D
            edits = _edits(variants[: len(x)], number)
            if entering := edits.get(before):
                x = entering(x)
            if len(x) and number < len(layers):
                given = (self._seen,) if stack == "encoder" else (memory, causal, self._seen)
                x = layers[number](x, *given, Editor(edits, f"{stack}.{number}."))
        return x


def _edits(variants: Sequence[_Variant], layer: int) -> dict[str, Edit]:
    """Return the edits of a layer, by site: they put in the vectors of the runs that part there."""
    by_site: dict[str, list[int]] = {}
    for row, variant in enumerate(variants):
        if variant.layer == layer:
            by_site.setdefault(variant.site, []).append(row)
    return {site: _put(variants, rows) for site, rows in by_site.items()}


def _put(variants: Sequence[_Variant], rows: Sequence[int]) -> Edit:
    """Return the edit that puts in the vectors of some rows of a batch.

    A tensor of one row first gets a row for each run.
    """
    patched = [variants[row] for row in rows]
    vectors = torch.stack([variant.vector for variant in patched])  # N D or N Dk
    positions = torch.tensor([variant.position for variant in patched])
    heads = [variant.head for variant in patched]

    def edit(tensor: Tensor, *_made_of: Tensor) -> Tensor:  # B n D, B H n Dk, or one row of them
        changed = tensor.expand(len(variants), *tensor.shape[1:]).clone()
        if heads[0] is None:
            changed[list(rows), positions] = vectors
        else:
            changed[list(rows), torch.tensor(heads), positions] = vectors
        return changed

    return edit


def _layer_sites(part: Part, config: ModelConfig) -> dict[Kind, tuple[str, ...]]:
    """Return the sites of a map by kind: one for each column, or for each layer of heads."""
    if part in ("q", "k", "v", "z"):
        return {
            kind: tuple(attention_site(kind, n, part) for n in range(config.layers(kind)))
            for kind in KINDS
        }
    sites: dict[Kind, tuple[str, ...]] = {}
    for stack in STACKS:
        layers = range(config.layers(stack))
        if part == "sublayer":
            names = product(layers, SUBLAYERS[stack])
            sites[stack] = tuple(f"{stack}.{layer}.{name}.out" for layer, name in names)
        else:
            sites[stack] = tuple(stack_output(stack, layer) for layer in (-1, *layers))
    if part == "residual":
        sites["encoder"] = (*sites["encoder"][:-1], MEMORY)
    return sites


@torch.inference_mode()
def trace(
    model: Transformer,
    ids: tuple[Sequence[int], Sequence[int]],
    decided: Decided,
    part: Part = "residual",
    progress: Progress | None = None,
    *,
    donor: str = "",
    restored: bool = False,
    at: tuple[int, int] | None = None,
) -> Trace:
    """Trace two sentences given as `ids`, this one and the donor; see `Translator.trace`."""
    passes = [Pass(model, source_ids, decided.prefix) for source_ids in ids]
    leads = [_lead(sentence.logits[-1:], decided)[0] for sentence in passes]
    run, other = passes[::-1] if restored else passes
    pairs, rows = partners(*ids), range(len(decided.prefix))
    sites = _layer_sites(part, model.config)
    leaves = stack_output("encoder", model.config.encoder_layers - 1)  # a layer makes the memory
    maps: dict[Kind, NDArray[np.float64]] = {}
    cells: list[tuple[Kind, tuple[int, ...]]] = []
    variants: list[_Variant] = []
    for kind, names in sites.items():
        heads = range(model.config.heads) if part in ("q", "k", "v", "z") else (None,)
        source = of_source(names[0])
        places = list(enumerate(pairs)) if source else [(row, row) for row in rows]
        shape = (len(names), len(heads), len(places))
        maps[kind] = np.full(shape, np.nan)
        for (column, site), head, (own, partner) in product(enumerate(names), heads, places):
            if partner is None or (at and own != at[not source]):
                continue
            here, there = (partner, own) if restored else (own, partner)
            vector = other.vector(site, there, head)
            cell = column, head or 0, own
            maps[kind][cell] = leads[restored]
            if not torch.equal(vector, run.vector(site, here, head)):  # else nothing changes
                variants.append(_Variant(leaves if site == MEMORY else site, here, head, vector))
                cells.append((kind, cell))
    for (kind, cell), lead in zip(cells, _run(run, variants, decided, progress), strict=True):
        maps[kind][cell] = lead
    first, second = leads
    for kind, values in maps.items():
        scaled = (values - first) / (second - first)
        maps[kind] = scaled[:, 0].T if part in ("residual", "sublayer") else scaled
        maps[kind].setflags(write=False)
    return Trace(
        part,
        restored,
        (tuple(ids[0]), tuple(ids[1])),
        donor,
        decided,
        (first, second),
        MappingProxyType(sites),
        MappingProxyType(maps),
    )


def _run(
    base: Pass, variants: Sequence[_Variant], decided: Decided, progress: Progress | None
) -> list[float]:
    """Return the lead in each run, _ROWS runs at a time; those that part late pass few layers."""
    all_leads = [0.0] * len(variants)
    done = 0
    for stack in STACKS:
        order = [n for n, variant in enumerate(variants) if variant.site.startswith(stack)]
        order.sort(key=lambda n: variants[n].layer)
        for start in range(0, len(order), _ROWS):
            batch = order[start : start + _ROWS]
            leads = _lead(base.after([variants[n] for n in batch]), decided)
            for number, lead in zip(batch, leads, strict=True):
                all_leads[number] = lead
            done += len(batch)
            if progress:
                progress(done, len(variants))
    return all_leads


def _lead(logits: Tensor, decided: Decided) -> list[float]:
    """Return the log-odds of the first deciding piece over the second, (N,), from logits (N, V)."""
    first, second = decided.pieces
    logits = logits.cpu()
    return (logits[:, first].double() - logits[:, second].double()).tolist()


def decided(
    model: Transformer, ids: tuple[Sequence[int], Sequence[int]], target: Sequence[int]
) -> Decided:
    """Find the first step at which two sentences continue differently after one translation.

    `target` starts with the begin id. Raises ValueError when they never do.
    """
    with torch.inference_mode():
        given = torch.tensor([target])
        first, second = (
            model(torch.tensor([source_ids]), given)[0].argmax(dim=-1).tolist()
            for source_ids in ids
        )
    for step, pieces in enumerate(zip(first, second, strict=True)):
        if pieces[0] != pieces[1]:
            return Decided(tuple(target[: step + 1]), pieces)
    raise ValueError("both sentences are translated alike: there is no step that decides")
