"""Interventions as text for a link, and back; nonsense is refused piece by piece.

A text is made of pieces joined by "_": "zero.e.4.1-3~7" (heads 1 to 3 and 7 of encoder layer 4
put out zero), "mean." and "uniform." likewise, "lift.d", "raw.c" (scores without the root of d_k),
"hide.3-4", "pad.24", "block.c.4.all.5-7~5-8" (layer 4, all heads, query 5 to key 7 and 8),
"scale.e.0.5", "shift.d.-3", "shuffle.e.7", "repeat.e.5". Layers, heads and positions count from 1.
All characters are ones that links leave as they are.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from model.interventions.base import Intervention
from model.interventions.heads import MODES, AblateHead, Mode
from model.interventions.masks import BlockAttention, HideSource, LiftMask, PadSource
from model.interventions.positions import (
    RepeatPosition,
    ScalePositions,
    ShiftPositions,
    ShufflePositions,
)
from model.interventions.scale import Unscale
from model.recording.sites import KINDS, STACKS, Kind, Stack

LONGEST = 12_000
"""The longest text that is read; a link cannot be longer by much."""

MOST_HEADS, MOST_EDITS = 32, 3000
_KINDS: dict[str, Kind] = {kind[0]: kind for kind in KINDS}
_STACKS: dict[str, Stack] = {stack[0]: stack for stack in STACKS}
_MODES: dict[str, Mode] = {str(mode): mode for mode in MODES}

Name = TypeVar("Name")

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
            if len(found) > MOST_EDITS:
                raise ValueError(f"more than {MOST_EDITS} interventions")
            found |= dict.fromkeys(_read_piece(piece))
        except ValueError:
            refused.append(piece)
    if len(text) > LONGEST:
        refused.append(text[LONGEST:])
    return Parsed(tuple(found), tuple(refused))


def write(interventions: Sequence[Intervention]) -> str:
    """Write interventions as text, in a fixed order and without repetitions."""
    return "_".join(write_group(group) for group in groups(interventions))


def groups(interventions: Sequence[Intervention]) -> list[Group]:
    """Put together what makes one piece: heads that are off, links forbidden in the same heads."""
    unique = list(dict.fromkeys(interventions))
    heads = [edit for edit in unique if isinstance(edit, AblateHead)]
    links = [edit for edit in unique if isinstance(edit, BlockAttention)]
    others = [edit for edit in unique if not isinstance(edit, AblateHead | BlockAttention)]
    by_place: dict[tuple[Kind, int | None, int | None], list[Intervention]] = {}
    for link in links:
        by_place.setdefault((link.kind, link.layer, link.head), []).append(link)
    return [
        *((other,) for other in sorted(others, key=_rank)),
        *_head_groups(heads),
        *(tuple(group) for group in by_place.values()),
    ]


def _rank(intervention: Intervention) -> list[str | int]:
    """Rank by name, numbers in it by their size; texts and numbers take turns."""
    parts = re.split(r"(\d+)", _name(intervention))
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def _head_groups(heads: Sequence[AblateHead]) -> list[Group]:
    """Join the layers of one kind and mode in which the same heads are off."""
    found: list[Group] = []
    for mode in MODES:
        for kind in KINDS:
            layers: dict[int, set[int]] = {}
            for edit in heads:
                if (edit.mode, edit.kind) == (mode, kind):
                    layers.setdefault(edit.layer, set()).add(edit.head)
            by_heads: dict[tuple[int, ...], list[int]] = {}
            for layer in sorted(layers):
                by_heads.setdefault(tuple(sorted(layers[layer])), []).append(layer)
            found += [
                tuple(AblateHead(kind, layer, head, mode) for layer in same for head in numbers)
                for numbers, same in by_heads.items()
            ]
    return found


def write_group(group: Group) -> str:
    """Write one group of `groups` as a piece of text."""
    match group[0]:
        case AblateHead(kind, _, _, mode):
            edits = [edit for edit in group if isinstance(edit, AblateHead)]
            layers, heads = ({edit.layer for edit in edits}, {edit.head for edit in edits})
            return f"{mode}.{kind[0]}.{_ranges(layers)}.{_ranges(heads)}"
        case BlockAttention(kind, _, _, layer, head):
            links = [edit for edit in group if isinstance(edit, BlockAttention)]
            pairs = "~".join(f"{link.query + 1}-{link.key + 1}" for link in links)
            return f"block.{kind[0]}.{_number_or_all(layer)}.{_number_or_all(head)}.{pairs}"
        case single:
            return _name(single)


def _name(intervention: Intervention) -> str:
    match intervention:
        case LiftMask(kind):
            return f"lift.{kind[0]}"
        case Unscale(kind):
            return f"raw.{kind[0]}"
        case HideSource(first, last):
            return f"hide.{first + 1}-{last + 1}"
        case PadSource(length):
            return f"pad.{length}"
        case ScalePositions(stack, factor):
            return f"scale.{stack[0]}.{factor!r}"
        case ShiftPositions(stack, by):
            return f"shift.{stack[0]}.{by}"
        case ShufflePositions(stack, seed):
            return f"shuffle.{stack[0]}.{seed}"
        case RepeatPosition(stack, position):
            return f"repeat.{stack[0]}.{position + 1}"
        case AblateHead() | BlockAttention():
            return write_group((intervention,))
    raise TypeError(f"no link writes {intervention!r}")


def _ranges(numbers: Iterable[int]) -> str:
    """Write 0-based numbers from 1 on, runs of them as a range: 1-3~7."""
    runs = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        values = [value + 1 for _, value in run]
        runs.append(str(values[0]) if len(values) == 1 else f"{values[0]}-{values[-1]}")
    return "~".join(runs)


def _number_or_all(number: int | None) -> str:
    return "all" if number is None else str(number + 1)


def _read_piece(piece: str) -> list[Intervention]:
    """Read one piece; ValueError when it says nothing."""
    name, _, rest = piece.partition(".")
    fields = rest.split(".")
    if name in ("hide", "pad"):
        first, last = _range(rest)
        if name == "hide":
            return [HideSource(first - 1, last - 1)]
        if first != last:
            raise ValueError(f"not a length: {rest}")
        return [PadSource(first)]
    if name in ("lift", "raw") and len(fields) == 1:
        kind = _one_of(_KINDS, rest)
        return [LiftMask(kind) if name == "lift" else Unscale(kind)]
    if name in _MODES and len(fields) == 3:
        kind, layers, heads = _one_of(_KINDS, fields[0]), _numbers(fields[1]), _numbers(fields[2])
        return [AblateHead(kind, layer, head, _MODES[name]) for layer in layers for head in heads]
    if name == "block" and len(fields) == 4:
        return _read_links(*fields)
    stack, _, value = rest.partition(".")
    return [_read_position(name, _one_of(_STACKS, stack), value)]


def _read_links(kind: str, layer: str, head: str, pairs: str) -> list[Intervention]:
    place = [None if text == "all" else _number(text) - 1 for text in (layer, head)]
    found: list[Intervention] = []
    for link in pairs.split("~"):
        query, _, key = link.partition("-")
        found.append(
            BlockAttention(_one_of(_KINDS, kind), _number(query) - 1, _number(key) - 1, *place)
        )
    return found


def _read_position(name: str, stack: Stack, value: str) -> Intervention:
    if name == "scale" and re.fullmatch(r"-?\d{1,3}(\.\d{1,17})?(e-\d\d)?", value, re.ASCII):
        return ScalePositions(stack, float(value))
    if name == "shift" and re.fullmatch(r"-?\d{1,3}", value, re.ASCII):
        return ShiftPositions(stack, int(value))
    if name == "shuffle" and re.fullmatch(r"\d{1,9}", value, re.ASCII):
        return ShufflePositions(stack, int(value))
    if name == "repeat":
        return RepeatPosition(stack, _number(value) - 1)
    raise ValueError(f"nothing is called {name} {value}")


def _one_of(names: dict[str, Name], name: str) -> Name:
    if name not in names:
        raise ValueError(f"{name} is none of {', '.join(names)}")
    return names[name]


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,2}", text, re.ASCII):
        raise ValueError(f"not a number from 1 to 999: {text}")
    return int(text)


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    start, end = _number(first), _number(last if "-" in text else first)
    if start > end:
        raise ValueError(f"not a range: {text}")
    return start, end


def _numbers(text: str) -> list[int]:
    """Read what `_ranges` writes; ValueError when there are more than any model has."""
    numbers: dict[int, None] = {}
    for part in text.split("~"):
        first, last = _range(part)
        if last > MOST_HEADS:
            raise ValueError(f"no model has {last} layers or heads")
        numbers |= dict.fromkeys(range(first - 1, last))
    return list(numbers)
