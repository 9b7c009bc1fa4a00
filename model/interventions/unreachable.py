"""Queries that interventions leave without any key: found before the model runs."""

import torch
from torch import Tensor

from model.interventions.base import Lengths, UnreachableQuery
from model.interventions.compiled import Compiled
from model.sites.sites import KINDS, Kind, attention_site, mask_site
from model.sites.tap import Edit
from model.transformer.masks import causal_mask


def unreachable_query(run: Compiled) -> UnreachableQuery | None:
    """Find the first query without any key, by running the edits themselves.

    They are applied to the masks of the run and to scores of zero. While the target is being
    written, its length is that of the furthest piece that an intervention names. Returns None if no
    query lacks keys, or if the source's length is not known.
    """
    if run.sizes.lengths is None:
        return None
    for kind in KINDS:
        if empty := _first_empty(run, run.sizes.lengths, kind):
            layer, head, query = empty
            return UnreachableQuery(kind, layer, head, query)
    return None


def _first_empty(run: Compiled, lengths: Lengths, kind: Kind) -> tuple[int, int, int] | None:
    """Find the first layer, head and query of one kind of attention without a key."""
    config = run.sizes.config
    layers = range(config.layers(kind))
    by_layer = [run.edits.get(attention_site(kind, layer, "scores")) for layer in layers]
    if mask_site(kind) not in run.edits and not any(by_layer):
        return None
    allowed = _allowed(run, lengths, kind)  # 1 1 T S
    for layer, edit_scores in enumerate(by_layer):
        if edit_scores in by_layer[:layer]:
            continue  # equal to an earlier layer
        links = allowed
        if edit_scores:
            zeros = torch.zeros(1, config.heads, *allowed.shape[-2:])  # 1 H T S
            links = allowed & (edit_scores(zeros) > -torch.inf)  # 1 H T S
        if len(empty := (~links.any(dim=-1)[0]).nonzero()):  # places 2
            head, query = empty[0].tolist()
            return layer, head, query
    return None


def _allowed(run: Compiled, lengths: Lengths, kind: Kind) -> Tensor:
    """Return which keys the masks alone allow each query, (1, 1, T, S)."""
    target = lengths.target or run.target_pieces
    source = run.sizes.source
    edit = run.edits.get(mask_site(kind))
    if kind == "decoder" and not lengths.target:
        return _newest(target, edit)
    if kind == "decoder":
        mask = causal_mask(target)  # T T
    else:
        real = torch.arange(source) < lengths.source  # S
        mask = real.expand(source if kind == "encoder" else target, -1)  # T S
    mask = mask.unsqueeze(0)  # 1 T S
    if edit:
        mask = edit(mask)
    return mask.unsqueeze(1)  # 1 1 T S


def _newest(target: int, edit: Edit | None) -> Tensor:
    """Return the keys (1, 1, T, T) that each piece sees while it is the newest.

    The mask is then as long as the written target.
    """
    mask = torch.zeros(1, 1, target, target, dtype=torch.bool)
    for length in range(1, target + 1):
        causal = causal_mask(length).unsqueeze(0)  # 1 t t
        mask[0, 0, length - 1, :length] = (edit(causal) if edit else causal)[0, -1]
    return mask
