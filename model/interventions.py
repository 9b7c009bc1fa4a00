"""What a user can change in a run, as frozen data, and its compilation to edits of sites."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.config import ModelConfig
from model.position_edits import PositionIntervention, position_edits
from model.sites import KINDS, Kind, attention_site, layers_of
from model.tap import Edit


@dataclass(frozen=True)
class AblateHead:
    """Switch one head off: its output z becomes zero."""

    kind: Kind
    layer: int
    head: int


@dataclass(frozen=True)
class LiftMask:
    """Let every query of this kind of attention look at every key, in all layers."""

    kind: Kind


@dataclass(frozen=True)
class BlockAttention:
    """Forbid one query-key link, in one layer and head or (None) in all of them."""

    kind: Kind
    query: int
    key: int
    layer: int | None = None
    head: int | None = None


AttentionIntervention = AblateHead | LiftMask | BlockAttention
Intervention = AttentionIntervention | PositionIntervention

_MASKS: dict[Kind, str] = {
    "encoder": "encoder.mask",
    "decoder": "decoder.mask",
    "cross": "decoder.cross_mask",
}


def compile_edits(interventions: Sequence[Intervention], config: ModelConfig) -> dict[str, Edit]:
    """Turn interventions into one edit a site, applied in the order given.

    Raises ValueError when a kind, layer or head does not exist in a model of these sizes, and
    (when the edit runs) when a position lies outside the sentence.
    """
    edits: dict[str, Edit] = {}
    for intervention in interventions:
        for site, edit in _compile(intervention, config):
            edits[site] = _chain(edits[site], edit) if site in edits else edit
    return edits


def _chain(first: Edit, second: Edit) -> Edit:
    return lambda tensor: second(first(tensor))


def _compile(intervention: Intervention, config: ModelConfig) -> list[tuple[str, Edit]]:
    if isinstance(intervention, PositionIntervention):
        return position_edits(intervention, config)
    return _edits(intervention, config)


def _edits(intervention: AttentionIntervention, config: ModelConfig) -> list[tuple[str, Edit]]:
    _check(intervention, config)
    match intervention:
        case AblateHead(kind, layer, head):
            return [(attention_site(kind, layer, "z"), _zero_head(head))]
        case LiftMask(kind):
            return [(_MASKS[kind], torch.ones_like)]
        case BlockAttention(kind, query, key, layer, head):
            layers = range(layers_of(kind, config)) if layer is None else (layer,)
            edit = _forbid(query, key, head)
            return [(attention_site(kind, number, "scores"), edit) for number in layers]


def _check(intervention: AttentionIntervention, config: ModelConfig) -> None:
    if intervention.kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {intervention.kind!r}")
    limits = {"layer": layers_of(intervention.kind, config), "head": config.heads}
    for name, limit in limits.items():
        value = getattr(intervention, name, None)
        if value is not None and not 0 <= value < limit:
            raise ValueError(f"{name} must be 0 to {limit - 1}, not {value}")


def _zero_head(head: int) -> Edit:
    def edit(z: Tensor) -> Tensor:  # B H T Dk
        z = z.clone()
        z[:, head] = 0
        return z

    return edit


def _forbid(query: int, key: int, head: int | None) -> Callable[[Tensor], Tensor]:
    def edit(scores: Tensor) -> Tensor:  # B H T S
        queries, keys = scores.shape[-2:]
        if not (0 <= query < queries and 0 <= key < keys):
            raise ValueError(f"no link {query} -> {key}: there are {queries} queries, {keys} keys")
        scores = scores.clone()
        scores[:, slice(None) if head is None else head, query, key] = -torch.inf
        return scores

    return edit
