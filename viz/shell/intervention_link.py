"""Interventions as text for a link, and back; nonsense is refused piece by piece.

A text is made of pieces joined by "_": "zero.e.4.1-3~7" (heads 1 to 3 and 7 of encoder layer 4
put out zero), "mean." and "uniform." likewise, "lift.d", "raw.c" (scores without the root of d_k),
"hide.3-4", "pad.24", "block.c.4.all.5-7~5-8" (layer 4, all heads, query 5 to key 7 and 8),
"scale.e.0.5", "shift.d.-3", "shuffle.e.7", "repeat.e.5", "sub.d.4.cross" (cross-attention of layer
4 left out; "res." the residual around it, "norm." the norm after it), "skip.e.3", "unit.e.3.17".
Layers, heads, positions and units count from 1. All characters are ones that links leave as they
are.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from model.interventions import blocks, masks, positions, scale
from model.interventions.base import Intervention
from model.interventions.heads import MODES, AblateHead, Mode
from model.sites.sites import KINDS, STACKS, Kind, Stack, Sublayer
from viz.shell.link_text import matched, number, numbers, one_of, ranges, span, split

LONGEST = 12_000
"""The longest text that is read; a link cannot be longer by much."""

MOST_INTERVENTIONS = 3000
_KINDS: dict[str, Kind] = {kind[0]: kind for kind in KINDS}
_STACKS: dict[str, Stack] = {stack[0]: stack for stack in STACKS}
_MODES: dict[str, Mode] = {str(mode): mode for mode in MODES}
_SUBLAYERS: dict[str, Sublayer] = {"attn": "self_attn", "cross": "cross_attn", "ffn": "ffn"}

Value = TypeVar("Value")
Some = TypeVar("Some", bound=Intervention)

Group = tuple[Intervention, ...]
"""Interventions that make one piece of the text and one chip on the screen."""


@dataclass(frozen=True)
class Parsed:
    """What a text says, and the pieces of it that say nothing."""

    interventions: tuple[Intervention, ...]
    refused: tuple[str, ...]


def read(text: str) -> Parsed:
    """Read a text; what is not understood, or is beyond any limit, is handed back as refused."""
    found: dict[Intervention, None] = {}
    refused: list[str] = []
    for piece in text[:LONGEST].split("_") if text else ():
        try:
            if len(found) > MOST_INTERVENTIONS:
                raise ValueError(f"more than {MOST_INTERVENTIONS} interventions")
            name, _, rest = piece.partition(".")
            found |= dict.fromkeys(one_of(_BY_NAME, name).read(name, rest))
        except ValueError:
            refused.append(piece)
    if len(text) > LONGEST:
        refused.append(text[LONGEST:])
    return Parsed(tuple(found), tuple(refused))


def write(interventions: Sequence[Intervention]) -> str:
    """Write interventions as text, in a fixed order and without repetitions."""
    return "_".join(write_group(group) for group in groups(interventions))


def write_group(group: Group) -> str:
    """Write one group of `groups` as a piece of text."""
    return _BY_KIND[type(group[0])].write(group)


def groups(interventions: Sequence[Intervention]) -> list[Group]:
    """Put together what makes one piece: heads that are off, links forbidden in the same heads."""
    unique = dict.fromkeys(interventions)
    alone = [(one,) for one in unique if _BY_KIND[type(one)].join is None]
    together: list[Group] = []
    for form in FORMS:
        if form.join:
            together += form.join([one for one in unique if type(one) is form.kind])
    return [*sorted(alone, key=_rank), *together]


def _rank(group: Group) -> list[str | int]:
    """Rank by name, numbers in it by their size; texts and numbers take turns."""
    parts = re.split(r"(\d+)", write_group(group))
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


@dataclass(frozen=True)
class Form(Generic[Some]):
    """How one kind of intervention stands in a link: `name.rest`, for one of its names.

    `read` takes both and raises ValueError when they say nothing; `write` returns the whole piece.
    `join` groups what shares a piece; without it each intervention has its own.
    """

    kind: type[Some]
    names: tuple[str, ...]
    read: Callable[[str, str], Sequence[Some]]
    write: Callable[[Sequence[Some]], str]
    join: Callable[[Sequence[Some]], list[tuple[Some, ...]]] | None = None


@dataclass(frozen=True)
class Field(Generic[Value]):
    """One value of an intervention as text; `read` raises ValueError when it is none."""

    read: Callable[[str], Value]
    write: Callable[[Value], str]


def _plain(kind: type[Some], name: str, *fields: Field[Any]) -> Form[Some]:
    """Write a kind as its name and the fields of its dataclass in order, joined by dots."""

    def read_fields(_name: str, rest: str) -> list[Some]:
        texts = rest.split(".", len(fields) - 1)
        if len(texts) != len(fields):
            raise ValueError(f"{len(fields)} values expected: {rest}")
        return [kind(*(field.read(text) for field, text in zip(fields, texts, strict=True)))]

    def write_fields(group: Sequence[Some]) -> str:
        values = zip(fields, vars(group[0]).values(), strict=True)
        return ".".join([name, *(field.write(value) for field, value in values)])

    return Form(kind, (name,), read_fields, write_fields)


def _read_hidden(_name: str, rest: str) -> list[masks.HideSource]:
    first, last = span(rest)
    return [masks.HideSource(first - 1, last - 1)]


def _write_hidden(group: Sequence[masks.HideSource]) -> str:
    return f"hide.{group[0].first + 1}-{group[0].last + 1}"


def _read_heads(name: str, rest: str) -> list[AblateHead]:
    kind, layers, heads = split(rest, 3)
    of = one_of(_KINDS, kind)
    return [
        AblateHead(of, layer, head, _MODES[name])
        for layer in numbers(layers)
        for head in numbers(heads)
    ]


def _write_heads(group: Sequence[AblateHead]) -> str:
    layers, heads = {head.layer for head in group}, {head.head for head in group}
    return f"{group[0].mode}.{group[0].kind[0]}.{ranges(layers)}.{ranges(heads)}"


def _join_heads(heads: Sequence[AblateHead]) -> list[tuple[AblateHead, ...]]:
    """Join the layers of one kind and mode in which the same heads are off."""
    found: list[tuple[AblateHead, ...]] = []
    for mode in MODES:
        for kind in KINDS:
            layers: dict[int, set[int]] = {}
            for head in heads:
                if (head.mode, head.kind) == (mode, kind):
                    layers.setdefault(head.layer, set()).add(head.head)
            by_heads: dict[tuple[int, ...], list[int]] = {}
            for layer in sorted(layers):
                by_heads.setdefault(tuple(sorted(layers[layer])), []).append(layer)
            found += [
                tuple(AblateHead(kind, layer, head, mode) for layer in same for head in off)
                for off, same in by_heads.items()
            ]
    return found


def _read_links(_name: str, rest: str) -> list[masks.BlockAttention]:
    kind, layer, head, pairs = split(rest, 4)
    place = [None if text == "all" else number(text) - 1 for text in (layer, head)]
    found: list[masks.BlockAttention] = []
    for link in pairs.split("~"):
        query, _, key = link.partition("-")
        found.append(
            masks.BlockAttention(one_of(_KINDS, kind), number(query) - 1, number(key) - 1, *place)
        )
    return found


def _write_links(group: Sequence[masks.BlockAttention]) -> str:
    kind, *place = group[0].kind, group[0].layer, group[0].head
    layer, head = ("all" if number is None else str(number + 1) for number in place)
    pairs = "~".join(f"{link.query + 1}-{link.key + 1}" for link in group)
    return f"block.{kind[0]}.{layer}.{head}.{pairs}"


def _join_links(links: Sequence[masks.BlockAttention]) -> list[tuple[masks.BlockAttention, ...]]:
    """Join the links that are forbidden in the same layers and heads."""
    by_place: dict[tuple[Kind, int | None, int | None], list[masks.BlockAttention]] = {}
    for link in links:
        by_place.setdefault((link.kind, link.layer, link.head), []).append(link)
    return [tuple(group) for group in by_place.values()]


_KIND = Field(lambda text: one_of(_KINDS, text), lambda kind: kind[0])
_STACK = Field(lambda text: one_of(_STACKS, text), lambda stack: stack[0])
_LENGTH = Field(number, str)
_PLACE = Field(lambda text: number(text) - 1, lambda place: str(place + 1))
_FACTOR = Field(lambda text: float(matched(r"-?\d{1,3}(\.\d{1,17})?(e-\d\d)?", text)), repr)
_SHIFT = Field(lambda text: int(matched(r"-?\d{1,3}", text)), str)
_SUBLAYER = Field(
    lambda text: one_of(_SUBLAYERS, text),
    lambda sublayer: next(name for name, one in _SUBLAYERS.items() if one == sublayer),
)
_UNIT = Field(lambda text: int(matched(r"[1-9]\d{0,4}", text)) - 1, lambda unit: str(unit + 1))
_SEED = Field(lambda text: int(matched(r"\d{1,9}", text)), str)

FORMS: tuple[Form[Any], ...] = (
    _plain(masks.LiftMask, "lift", _KIND),
    _plain(scale.Unscale, "raw", _KIND),
    _plain(masks.PadSource, "pad", _LENGTH),
    _plain(positions.ScalePositions, "scale", _STACK, _FACTOR),
    _plain(positions.ShiftPositions, "shift", _STACK, _SHIFT),
    _plain(positions.ShufflePositions, "shuffle", _STACK, _SEED),
    _plain(positions.RepeatPosition, "repeat", _STACK, _PLACE),
    _plain(blocks.LeaveOutSublayer, "sub", _STACK, _PLACE, _SUBLAYER),
    _plain(blocks.LeaveOutResidual, "res", _STACK, _PLACE, _SUBLAYER),
    _plain(blocks.LeaveOutNorm, "norm", _STACK, _PLACE, _SUBLAYER),
    _plain(blocks.SkipLayer, "skip", _STACK, _PLACE),
    _plain(blocks.ZeroUnit, "unit", _STACK, _PLACE, _UNIT),
    Form(masks.HideSource, ("hide",), _read_hidden, _write_hidden),
    Form(AblateHead, tuple(_MODES), _read_heads, _write_heads, _join_heads),
    Form(masks.BlockAttention, ("block",), _read_links, _write_links, _join_links),
)
"""A new kind of intervention gets one entry here, and is then read, written and grouped."""

_BY_KIND: dict[type[Intervention], Form[Any]] = {form.kind: form for form in FORMS}
_BY_NAME: dict[str, Form[Any]] = {name: form for form in FORMS for name in form.names}
