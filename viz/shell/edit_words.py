"""Interventions in words, as they stand on chips and in notices."""

from collections.abc import Sequence

from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, HideSource, LiftMask, PadSource
from model.interventions.positions import (
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.interventions.scale import Unscale
from model.recording.sites import Kind, layers_of
from model.transformer.config import ModelConfig
from viz.shared.text import _
from viz.shared.theme import token_text
from viz.shell.edit_link import Group


def group_words(group: Group, config: ModelConfig, source: Sequence[str]) -> str:
    """Say in a few words what a group of interventions does to a model of these sizes."""
    match group[0]:
        case AblateHead(kind, _layer, _head, mode):
            return f"{_place(group, kind, config)}: {_off(mode)}"
        case BlockAttention(kind, query, key, layer, head):
            place = [_kind(kind), _one(_("layer"), layer), _one(_("head"), head)]
            links = f"{query + 1} → {key + 1}"
            if len(group) > 1:
                links = _("{count} links").format(count=len(group))
            return _("{place}: {links} forbidden").format(
                place=" ".join(part for part in place if part), links=links
            )
        case LiftMask(kind):
            mask = _("look-ahead mask") if kind == "decoder" else _("padding mask")
            return _("{kind}: {mask} lifted").format(kind=_kind(kind), mask=mask)
        case Unscale(kind):
            return _("{kind}: scores not divided by √dₖ").format(kind=_kind(kind))
        case HideSource(first, last):
            word = "".join(token_text(token) for token in source[first : last + 1]).strip("·")
            return _("“{word}” masked out").format(word=word or f"{first + 1}-{last + 1}")
        case PadSource(length):
            return _("padded to {length} pieces").format(length=length)
        case ScalePositions(stack, factor) if factor == 0:
            return _("{stack} positions zeroed").format(stack=_kind(stack))
        case ScalePositions(stack, factor):
            return _("{stack} positions times {factor:g}").format(stack=_kind(stack), factor=factor)
        case ShiftPositions(stack, by):
            return _("{stack} positions shifted by {by:+d}").format(stack=_kind(stack), by=by)
        case ShufflePositions(stack):
            return _("{stack} positions shuffled").format(stack=_kind(stack))
        case RepeatPosition(stack, position):
            return _("{stack} position {position} given twice").format(
                stack=_kind(stack), position=position + 1
            )
    raise TypeError(f"no words for {group[0]!r}")


def _kind(kind: Kind) -> str:
    return {"encoder": _("Encoder"), "decoder": _("Decoder"), "cross": _("Cross")}[kind]


def mode_names() -> dict[str, str]:
    """Name what a head that is off puts out instead, by the name in the link."""
    return {"zero": _("zero output"), "mean": _("mean output"), "uniform": _("uniform attention")}


def _off(mode: str) -> str:
    return _("off ({mode})").format(mode=mode_names()[mode])


def _one(name: str, number: int | None) -> str:
    return "" if number is None else f"{name} {number + 1}"


def _place(group: Group, kind: Kind, config: ModelConfig) -> str:
    """Name layers and heads, all of them by no number."""
    edits = [edit for edit in group if isinstance(edit, AblateHead)]
    layers = sorted({edit.layer for edit in edits})
    heads = sorted({edit.head for edit in edits})
    parts = [_kind(kind)]
    if len(layers) < layers_of(kind, config):
        parts.append(_several(_("layer"), _("layers"), layers))
    if len(heads) < config.heads:
        parts.append(_several(_("head"), _("heads"), heads))
    elif len(layers) == layers_of(kind, config):
        parts.append(_("attention"))
    return " ".join(parts)


def _several(one: str, many: str, numbers: Sequence[int]) -> str:
    names = ", ".join(str(number + 1) for number in numbers)
    return f"{one if len(numbers) == 1 else many} {names}"
