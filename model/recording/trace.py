"""Activation patching all over a model: the effect of each vector of another sentence.

Every cell of a map is its own run, in which one vector is taken from a run of the other sentence.
The runs are rows of one batch. A row joins it at the layer where its vector is put in; before that
it equals the unchanged run. B is the batch, S the source, T the target up to the deciding step, D
the model width, H the heads, Dk the width of a head, V the vocabulary.
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
"""The kinds of vectors carried over: residual stream, sublayer output, or part of a head."""

MEMORY = "encoder.memory"
_ROWS = 64
"""The number of runs in one batch."""


@dataclass(frozen=True)
class Decided:
    """The pieces before a step, begin id first, and the ids of the two pieces that decide there."""

    prefix: tuple[int, ...]
    pieces: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Trace:
    """The movement of the answer towards that of another sentence, the donor, vector by vector.

    A cell is 0 where the log-odds of the two deciding pieces stay as in this sentence, and 1 where
    they become those of the donor. It is NaN where the token has no partner in the donor, or was
    not asked for. With `restored` the run is the donor's and the vector this sentence's, on the
    same scale: 0 where the vector alone brings this sentence's answer back.

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
        """Return the map of cross-attention's heads: (L, H, T), of keys and values (L, H, S)."""
        return self.maps["cross"]

    @property
    def partners(self) -> tuple[int | None, ...]:
        """Return the donor's partner of each source piece."""
        return tuple(partners(*self.ids))

    def patch(self, kind: Kind, *cell: int) -> PatchActivation:
        """Return the intervention of a cell, by its place in the map of a stack or kind."""
        if self.maps[kind].ndim == 2:
            token, column = cell
            return PatchActivation(self.sites[kind][column], token, self.donor)
        layer, head, token = cell
        return PatchActivation(self.sites[kind][layer], token, self.donor, head)


@dataclass(frozen=True, eq=False)
class _Variant:
    """One run: the site, and the vector put in there."""

    site: str
    position: int
    head: int | None
    vector: Tensor

    @property
    def layer(self) -> int:
        """Return the first layer of its stack that reads the vector or makes it."""
        _, number, part = [*self.site.split("."), ""][:3]
        return int(number) + part.startswith("norm") if number.isdigit() else 0


class Pass:
    """A sentence with the beginning of a translation: its activations, and runs with changes."""

    def __init__(
        self, model: Transformer, source_ids: Sequence[int], prefix: Sequence[int]
    ) -> None:
        """Run the model once."""
        recorder = Recorder()
        self._model, self._prefix = model, torch.tensor([prefix])
        source = torch.tensor([source_ids])
        self.logits = model(source, self._prefix, recorder)[0]  # T V
        self._recorded = recorder.recorded
        self._seen = torch.ones(1, 1, len(source_ids), dtype=torch.bool)  # 1 1 S

    def vector(self, site: str, position: int, head: int | None) -> Tensor:
        """Return a token's vector at a site, (D,), or that of one of its heads (Dk,)."""
        found = self._recorded[site][0, ..., position, :]
        return found if head is None else found[head]

    def after(self, variants: Sequence[_Variant]) -> Tensor:
        """Return the logits of the last step (N, V) in runs that each differ in one vector.

        All are of one stack, in rising order of the layer where they part.
        """
        in_encoder = variants[0].site.startswith("encoder.")
        memory = self._recorded[MEMORY]  # 1 S D
        if in_encoder:
            memory = self._through("encoder", variants)  # N S D
            rows = self._recorded["decoder.input"].expand(len(variants), -1, -1)  # N T D
            causal = causal_mask(rows.size(1)).unsqueeze(0)  # 1 T T
            rows = self._model.decoder(rows, memory, causal, self._seen)  # N T D
        else:
            rows = self._through("decoder", variants)  # N T D
        return self._model.output(rows[:, -1])  # N V

    def _through(self, stack: Stack, variants: Sequence[_Variant]) -> Tensor:
        """Return the output of a stack (N, n, D); a run joins the others where it parts."""
        memory = self._recorded[MEMORY]  # 1 S D
        causal = causal_mask(self._prefix.size(1)).unsqueeze(0)  # 1 T T
        own = self._recorded[f"{stack}.input"]  # 1 n D
        x = own[:0]  # 0 n D
        layers = self._model.encoder.layers if stack == "encoder" else self._model.decoder.layers
        for number in range(len(layers) + 1):
            before = stack_output(stack, number - 1)
            joining = sum(one.layer == number for one in variants)
            x = torch.cat([x, self._recorded[before].expand(joining, -1, -1)])  # N n D
            edits = _edits(variants[: len(x)], number)
            if entering := edits.get(before):
                x = entering(x)
            if len(x) and number < len(layers):
                given = (self._seen,) if stack == "encoder" else (memory, causal, self._seen)
                x = layers[number](x, *given, Editor(edits, f"{stack}.{number}."))
        return x


def _edits(variants: Sequence[_Variant], layer: int) -> dict[str, Edit]:
    """Return the edits, by site, that put in the vectors of the runs that part at a layer."""
    by_site: dict[str, list[int]] = {}
    for row, one in enumerate(variants):
        if one.layer == layer:
            by_site.setdefault(one.site, []).append(row)
    return {site: _put(variants, rows) for site, rows in by_site.items()}


def _put(variants: Sequence[_Variant], rows: Sequence[int]) -> Edit:
    """Put in the vectors of some rows of a batch; a tensor of one row gets a row for each."""
    some = [variants[row] for row in rows]
    vectors = torch.stack([one.vector for one in some])  # N D or N Dk
    positions = torch.tensor([one.position for one in some])
    heads = [one.head for one in some]

    def edit(tensor: Tensor, *_made_of: Tensor) -> Tensor:  # B n D, B H n Dk, or one row of them
        changed = tensor.expand(len(variants), *tensor.shape[1:]).clone()
        if heads[0] is None:
            changed[list(rows), positions] = vectors
        else:
            changed[list(rows), torch.tensor(heads), positions] = vectors
        return changed

    return edit


def _layer_sites(part: Part, config: ModelConfig) -> dict[Kind, tuple[str, ...]]:
    """Name the sites of a map: its columns, or for heads its layers."""
    if part in ("q", "k", "v", "z"):
        return {
            kind: tuple(attention_site(kind, n, part) for n in range(config.layers(kind)))
            for kind in KINDS
        }
    found: dict[Kind, tuple[str, ...]] = {}
    for stack in STACKS:
        layers = range(config.layers(stack))
        if part == "sublayer":
            names = product(layers, SUBLAYERS[stack])
            found[stack] = tuple(f"{stack}.{layer}.{name}.out" for layer, name in names)
        else:
            found[stack] = tuple(stack_output(stack, layer) for layer in (-1, *layers))
    if part == "residual":
        found["encoder"] = (*found["encoder"][:-1], MEMORY)
    return found


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
    """Trace two sentences, this one and the donor, given as ids; see `Translator.trace`."""
    passes = [Pass(model, source_ids, decided.prefix) for source_ids in ids]
    leads = [_lead(one.logits[-1:], decided)[0] for one in passes]
    run, other = passes[::-1] if restored else passes
    pairs, rows = partners(*ids), range(len(decided.prefix))
    sites = _layer_sites(part, model.config)
    leaves = stack_output("encoder", model.config.encoder_layers - 1)  # the memory by its layer
    maps: dict[Kind, NDArray[np.float64]] = {}
    cells: list[tuple[Kind, tuple[int, ...]]] = []
    variants: list[_Variant] = []
    for kind, named in sites.items():
        heads = range(model.config.heads) if part in ("q", "k", "v", "z") else (None,)
        source = of_source(named[0])
        places = list(enumerate(pairs)) if source else [(row, row) for row in rows]
        shape = (len(named), len(heads), len(places))
        maps[kind] = np.full(shape, np.nan)
        for (column, site), head, (own, partner) in product(enumerate(named), heads, places):
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
    """Return the lead in each run, so many at a time; runs that part late pass few layers."""
    found = [0.0] * len(variants)
    done = 0
    for stack in STACKS:
        own = [n for n, one in enumerate(variants) if one.site.startswith(stack)]
        own.sort(key=lambda n: variants[n].layer)
        for start in range(0, len(own), _ROWS):
            some = own[start : start + _ROWS]
            leads = _lead(base.after([variants[n] for n in some]), decided)
            for number, lead in zip(some, leads, strict=True):
                found[number] = lead
            done += len(some)
            if progress:
                progress(done, len(variants))
    return found


def _lead(logits: Tensor, decided: Decided) -> list[float]:
    """Return the log-odds of the first deciding piece over the second, from logits (N, V)."""
    first, second = decided.pieces
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
            model(torch.tensor([one]), given)[0].argmax(dim=-1).tolist() for one in ids
        )
    for step, pieces in enumerate(zip(first, second, strict=True)):
        if pieces[0] != pieces[1]:
            return Decided(tuple(target[: step + 1]), pieces)
    raise ValueError("both sentences are translated alike: there is no step that decides")
