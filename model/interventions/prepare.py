"""What a user can change in a run, as frozen data, and its compilation to edits of sites."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from model.interventions.edits import (
    MODES,
    Mode,
    average_head,
    average_head_so_far,
    chain,
    forbid,
    hide_keys,
    level_head,
    unscale,
    zero_head,
)
from model.interventions.positions import (
    PositionIntervention,
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
    position_edits,
)
from model.recording.sites import KINDS, Kind, attention_site, layers_of
from model.recording.tap import Edit
from model.transformer.config import ModelConfig


@dataclass(frozen=True)
class AblateHead:
    """Switch one head off.

    Its output z becomes zero, or its mean over the sentence (in the decoder: over the pieces so
    far), or what it would be if the head looked at every key it may see alike.
    """

    kind: Kind
    layer: int
    head: int
    mode: Mode = "zero"


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


@dataclass(frozen=True)
class HideSource:
    """Mask the source pieces from `first` to `last` out: nobody can look at them."""

    first: int
    last: int


@dataclass(frozen=True)
class PadSource:
    """Fill the source up with padding to this many pieces; a longer source stays as it is."""

    length: int


@dataclass(frozen=True)
class Unscale:
    """Leave out the division of the scores by sqrt(d_k), in all layers of this kind."""

    kind: Kind


AttentionIntervention = AblateHead | LiftMask | BlockAttention | HideSource | PadSource | Unscale
Intervention = AttentionIntervention | PositionIntervention


@dataclass(frozen=True)
class Lengths:
    """How many pieces a run is about, without padding; target None while it is being written."""

    source: int
    target: int | None = None


MASKS: dict[Kind, str] = {
    "encoder": "encoder.mask",
    "decoder": "decoder.mask",
    "cross": "decoder.cross_mask",
}


def canonical(interventions: Sequence[Intervention]) -> tuple[Intervention, ...]:
    """Drop repetitions and put first what would undo others.

    A lifted mask comes before what is hidden again, a shift, which computes the positions anew,
    before what happens to them.
    """
    return tuple(sorted(dict.fromkeys(interventions), key=_stage))


def _stage(intervention: Intervention) -> int:
    early = (PadSource, LiftMask, Unscale, ShiftPositions)
    late = (ScalePositions, RepeatPosition)
    return 0 if isinstance(intervention, early) else 2 if isinstance(intervention, late) else 1


def compile_edits(
    interventions: Sequence[Intervention], config: ModelConfig, lengths: Lengths | None = None
) -> dict[str, Edit]:
    """Turn interventions into one edit a site, in their canonical order.

    Raises ValueError when a kind, layer or head does not exist in a model of these sizes, or a
    position in a run of these lengths (None: positions stay unchecked).
    """
    edits: dict[str, Edit] = {}
    padded = padded_length(interventions, lengths.source) if lengths else None
    for intervention in canonical(interventions):
        check(intervention, config, lengths, padded)
        for site, edit in _edits(intervention, config, lengths):
            edits[site] = chain(edits[site], edit) if site in edits else edit
    return edits


def looks_ahead(interventions: Sequence[Intervention]) -> bool:
    """Tell whether what the decoder computes for a piece depends on the pieces after it."""
    return LiftMask("decoder") in interventions or any(
        isinstance(edit, ShufflePositions) and edit.stack == "decoder" for edit in interventions
    )


def padded_length(interventions: Sequence[Intervention], length: int) -> int:
    """Return how many pieces a source of this length has once it is padded."""
    pads = [edit.length for edit in interventions if isinstance(edit, PadSource)]
    return max(length, *pads) if pads else length


def padded(ids: Sequence[int], interventions: Sequence[Intervention], pad_id: int) -> list[int]:
    """Fill source ids up with padding, if that is asked for."""
    return [*ids, *[pad_id] * (padded_length(interventions, len(ids)) - len(ids))]


def _edits(
    intervention: Intervention, config: ModelConfig, lengths: Lengths | None
) -> list[tuple[str, Edit]]:
    match intervention:
        case AblateHead():
            return [_ablate(intervention, lengths)]
        case LiftMask(kind):
            return [(MASKS[kind], torch.ones_like)]
        case BlockAttention(kind, query, key, layer, head):
            return _scores(kind, layer, config, forbid(query, key, head))
        case Unscale(kind):
            return _scores(kind, None, config, unscale(config.d_k))
        case HideSource(first, last):
            hide = hide_keys(first, last)
            return [(MASKS["encoder"], hide), (MASKS["cross"], hide)]
        case PadSource():
            return []  # an edit of the ids, made before the run
        case _:
            return position_edits(intervention, config)


def _ablate(intervention: AblateHead, lengths: Lengths | None) -> tuple[str, Edit]:
    kind, layer, head = intervention.kind, intervention.layer, intervention.head
    if intervention.mode == "uniform":
        return attention_site(kind, layer, "scores"), level_head(head)
    if intervention.mode == "zero":
        edit = zero_head(head)
    elif kind == "encoder":
        edit = average_head(head, lengths.source if lengths else None)
    else:
        edit = average_head_so_far(head)
    return attention_site(kind, layer, "z"), edit


def _scores(
    kind: Kind, layer: int | None, config: ModelConfig, edit: Edit
) -> list[tuple[str, Edit]]:
    layers = range(layers_of(kind, config)) if layer is None else (layer,)
    return [(attention_site(kind, number, "scores"), edit) for number in layers]


def check(
    intervention: Intervention,
    config: ModelConfig,
    lengths: Lengths | None = None,
    padded: int | None = None,
) -> None:
    """Raise ValueError when an intervention fits no model of these sizes or run of these lengths.

    `padded` is the source length with padding; by default there is none.
    """
    match intervention:
        case AblateHead(kind, layer, head, mode):
            _check_head(kind, layer, head, config)
            if mode not in MODES:
                raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        case BlockAttention(kind, _, _, layer, head):
            _check_head(kind, layer, head, config)
            _check_link(intervention, config, lengths, padded)
        case LiftMask(kind) | Unscale(kind):
            _check_head(kind, None, None, config)
        case HideSource(first, last):
            end = lengths.source if lengths else config.max_length
            if not 0 <= first <= last < end:
                raise ValueError(f"no pieces {first} to {last}: the source has {end}")
        case PadSource(length):
            if not 1 <= length <= config.max_length:
                raise ValueError(f"length must be 1 to {config.max_length}, not {length}")
        case _:
            position_edits(intervention, config)


def _check_head(kind: Kind, layer: int | None, head: int | None, config: ModelConfig) -> None:
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    limits = {"layer": (layer, layers_of(kind, config)), "head": (head, config.heads)}
    for name, (value, limit) in limits.items():
        if value is not None and not 0 <= value < limit:
            raise ValueError(f"{name} must be 0 to {limit - 1}, not {value}")


def _check_link(
    link: BlockAttention, config: ModelConfig, lengths: Lengths | None, padded: int | None
) -> None:
    source, target = config.max_length, config.max_length
    if lengths:
        source = padded or lengths.source
        target = config.max_length if lengths.target is None else lengths.target
    queries = source if link.kind == "encoder" else target
    keys = target if link.kind == "decoder" else source
    if not (0 <= link.query < queries and 0 <= link.key < keys):
        raise ValueError(
            f"no link {link.query} -> {link.key}: there are {queries} queries, {keys} keys"
        )
