"""Queries that interventions leave without any key to look at: found before the model runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.interventions.prepare import (
    BlockAttention,
    HideSource,
    Intervention,
    Lengths,
    LiftMask,
    padded_length,
)
from model.recording.sites import KINDS, Kind, layers_of
from model.transformer.config import ModelConfig


@dataclass(frozen=True)
class StarvedRow:
    """A query that can look at nothing in some head."""

    kind: Kind
    layer: int
    head: int
    query: int


def starved_row(
    interventions: Sequence[Intervention], config: ModelConfig, lengths: Lengths
) -> StarvedRow | None:
    """Find the first query of a run of these lengths that is left with nothing to look at."""
    if not any(isinstance(edit, BlockAttention | HideSource) for edit in interventions):
        return None
    for kind in KINDS:
        allowed = allowed_links(kind, interventions, lengths)  # T S
        free = _unblocked(kind, interventions, config, allowed).any(axis=-1)  # L H T
        if not free.all():
            layer, head, query = (int(index) for index in np.argwhere(~free)[0])
            return StarvedRow(kind, layer, head, query)
    return None


def refuse_starved(
    interventions: Sequence[Intervention], config: ModelConfig, lengths: Lengths
) -> None:
    """Raise ValueError when a query is left with nothing to look at, and name it."""
    if row := starved_row(interventions, config, lengths):
        raise ValueError(
            f"the interventions leave a query without any key to look at: query {row.query} of "
            f"{row.kind} attention, layer {row.layer}, head {row.head}"
        )


def allowed_links(
    kind: Kind, interventions: Sequence[Intervention], lengths: Lengths
) -> NDArray[np.bool_]:
    """Return who may look where (query, key) by the masks alone, in all heads.

    While the target is being written it counts as long as the furthest forbidden query.
    """
    source = padded_length(interventions, lengths.source)
    target = lengths.target or 1 + max(_queries(interventions), default=0)
    queries = source if kind == "encoder" else target
    keys = target if kind == "decoder" else source
    if LiftMask(kind) in interventions and (kind != "decoder" or lengths.target):
        allowed = np.ones((queries, keys), dtype=np.bool_)
    elif kind == "decoder":
        allowed = np.tri(target, dtype=np.bool_)
    else:
        allowed = np.tile(np.arange(keys) < lengths.source, (queries, 1))
    if kind != "decoder":
        for edit in interventions:
            if isinstance(edit, HideSource):
                allowed[:, edit.first : edit.last + 1] = False
    return allowed


def _queries(interventions: Sequence[Intervention]) -> list[int]:
    links = [edit for edit in interventions if isinstance(edit, BlockAttention)]
    return [link.query for link in links if link.kind != "encoder"]


def _unblocked(
    kind: Kind,
    interventions: Sequence[Intervention],
    config: ModelConfig,
    allowed: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Take the forbidden links out of the allowed ones, head by head: (L, H, T, S)."""
    shape = (layers_of(kind, config), config.heads, *allowed.shape)
    links = np.broadcast_to(allowed, shape).copy()  # L H T S
    for edit in interventions:
        if isinstance(edit, BlockAttention) and edit.kind == kind:
            layers = slice(None) if edit.layer is None else edit.layer
            heads = slice(None) if edit.head is None else edit.head
            if edit.query < shape[2] and edit.key < shape[3]:
                links[layers, heads, edit.query, edit.key] = False
    return links
