"""Interventions in words, as they stand on chips and in notices: one function a kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from model.interventions import blocks, masks, positions, scale
from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.recording.sites import Kind, layers_of
from model.transformer.config import ModelConfig
from viz.figures.labels import head_text, kind_names, sublayer_names
from viz.figures.theme import token_text
from viz.language.text import _
from viz.shell.intervention_link import Group


@dataclass(frozen=True)
class Subject:
    """What the words are about: the group, a model of these sizes and the pieces of a source."""

    group: Group
    config: ModelConfig
    source: Sequence[str]


def group_words(group: Group, config: ModelConfig, source: Sequence[str]) -> str:
    """Say in a few words what a group of interventions does to a model of these sizes."""
    return _words(group[0], Subject(group, config, source))


@singledispatch
def _words(first: Intervention, subject: Subject) -> str:  # noqa: ARG001
    """Say what a group does that begins with this intervention; each kind registers its own."""
    raise TypeError(f"no words for {first!r}")


@_words.register
def _ablated(first: AblateHead, subject: Subject) -> str:
    off = _("off ({mode})").format(mode=mode_names()[first.mode])
    return f"{_place(subject, first.kind)}: {off}"


@_words.register
def _forbidden(first: masks.BlockAttention, subject: Subject) -> str:
    place = _kind(first.kind)
    if first.layer is not None and first.head is not None:
        place = head_text(first.kind, first.layer, first.head)
    elif first.layer is not None:
        place = f"{place} {_('layer')} {first.layer + 1}"
    links = f"{first.query + 1} → {first.key + 1}"
    if len(subject.group) > 1:
        links = _("{count} links").format(count=len(subject.group))
    return _("{place}: {links} forbidden").format(place=place, links=links)


@_words.register
def _lifted(first: masks.LiftMask, _subject: Subject) -> str:
    mask = _("look-ahead mask") if first.kind == "decoder" else _("padding mask")
    return _("{kind}: {mask} lifted").format(kind=_kind(first.kind), mask=mask)


@_words.register
def _unscaled(first: scale.Unscale, _subject: Subject) -> str:
    return _("{kind}: scores not divided by √dₖ").format(kind=_kind(first.kind))


@_words.register
def _hidden(first: masks.HideSource, subject: Subject) -> str:
    tokens = subject.source[first.first : first.last + 1]
    word = "".join(token_text(token) for token in tokens).strip("·")
    return _("“{word}” masked out").format(word=word or f"{first.first + 1}-{first.last + 1}")


@_words.register
def _padded(first: masks.PadSource, _subject: Subject) -> str:
    return _("padded to {length} pieces").format(length=first.length)


@_words.register
def _scaled(first: positions.ScalePositions, _subject: Subject) -> str:
    stack = _kind(first.stack)
    if first.factor == 0:
        return _("{stack} positions zeroed").format(stack=stack)
    return _("{stack} positions times {factor:g}").format(stack=stack, factor=first.factor)


@_words.register
def _shifted(first: positions.ShiftPositions, _subject: Subject) -> str:
    return _("{stack} positions shifted by {by:+d}").format(stack=_kind(first.stack), by=first.by)


@_words.register
def _shuffled(first: positions.ShufflePositions, _subject: Subject) -> str:
    return _("{stack} positions shuffled").format(stack=_kind(first.stack))


@_words.register
def _repeated(first: positions.RepeatPosition, _subject: Subject) -> str:
    return _("{stack} position {position} given twice").format(
        stack=_kind(first.stack), position=first.position + 1
    )


@_words.register
def _sublayer_gone(first: blocks.LeaveOutSublayer, _subject: Subject) -> str:
    return _around(first, _("{layer}: {sublayer} left out"))


@_words.register
def _residual_gone(first: blocks.LeaveOutResidual, _subject: Subject) -> str:
    return _around(first, _("{layer}: no residual around {sublayer}"))


@_words.register
def _norm_gone(first: blocks.LeaveOutNorm, _subject: Subject) -> str:
    return _around(first, _("{layer}: no norm after {sublayer}"))


@_words.register
def _skipped(first: blocks.SkipLayer, _subject: Subject) -> str:
    return _("{layer} skipped").format(layer=_layer(first))


@_words.register
def _silent(first: blocks.ZeroUnit, _subject: Subject) -> str:
    return _("{layer}: unit {unit} set to 0").format(layer=_layer(first), unit=first.unit + 1)


def _around(first: blocks.SublayerIntervention, words: str) -> str:
    return words.format(layer=_layer(first), sublayer=sublayer_names()[first.sublayer])


def _layer(block: blocks.BlockIntervention) -> str:
    return f"{_kind(block.stack)} {_('layer')} {block.layer + 1}"


def _kind(kind: Kind) -> str:
    return kind_names()[kind]


def mode_names() -> dict[str, str]:
    """Name what a head that is off puts out instead, by the name in the link."""
    return {"zero": _("zero output"), "mean": _("mean output"), "uniform": _("uniform attention")}


def _place(subject: Subject, kind: Kind) -> str:
    """Name layers and heads; where it is all of them, no number is named."""
    off = [one for one in subject.group if isinstance(one, AblateHead)]
    layers = sorted({one.layer for one in off})
    heads = sorted({one.head for one in off})
    if len(off) == 1:
        return head_text(kind, layers[0], heads[0])
    parts = [_kind(kind)]
    if len(layers) < layers_of(kind, subject.config):
        parts.append(_several(_("layer"), _("layers"), layers))
    if len(heads) < subject.config.heads:
        parts.append(_several(_("head"), _("heads"), heads))
    elif len(layers) == layers_of(kind, subject.config):
        parts.append(_("attention"))
    return " ".join(parts)


def _several(one: str, many: str, numbers: Sequence[int]) -> str:
    names = ", ".join(str(number + 1) for number in numbers)
    return f"{one if len(numbers) == 1 else many} {names}"
