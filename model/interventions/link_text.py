"""Interventions as text for a link, and back; pieces that make no sense are refused.

A text is made of pieces joined by "_". Each begins with its intervention's name: "zero.e.4.1-3~7"
(heads 1 to 3 and 7 of encoder layer 4 put out zero), "lift.d", "hide.3-4". Each intervention
defines the text after its name. Layers, heads, positions and units count from 1.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from model.interventions.base import Intervention
from model.interventions.fields import one_of
from model.interventions.table import INTERVENTIONS

LONGEST = 12_000
"""The longest text that is read; a link cannot be much longer."""

MOST_INTERVENTIONS = 3000

Group = tuple[Intervention, ...]
"""Interventions of one type that make one piece of the text and one chip on the screen."""

_BY_NAME = {name: one for one in INTERVENTIONS for name in one.names}


@dataclass(frozen=True)
class Parsed:
    """The interventions of a text, and its pieces that make no sense."""

    interventions: tuple[Intervention, ...]
    refused: tuple[str, ...]


def read(text: str) -> Parsed:
    """Read a text; pieces that make no sense or exceed a limit are returned as refused."""
    interventions: dict[Intervention, None] = {}
    refused: list[str] = []
    for piece in text[:LONGEST].split("_") if text else ():
        try:
            if len(interventions) > MOST_INTERVENTIONS:
                raise ValueError(f"more than {MOST_INTERVENTIONS} interventions")
            name, _, rest = piece.partition(".")
            interventions |= dict.fromkeys(one_of(_BY_NAME, name).read(name, rest))
        except ValueError:
            refused.append(piece)
    if len(text) > LONGEST:
        refused.append(text[LONGEST:])
    return Parsed(tuple(interventions), tuple(refused))


def write(interventions: Sequence[Intervention]) -> str:
    """Write interventions as text, in a fixed order and without repetitions."""
    return "_".join(write_group(group) for group in groups(interventions))


def write_group(group: Group) -> str:
    """Write one group of `groups` as a piece of text."""
    return type(group[0]).write(group)


def groups(interventions: Sequence[Intervention]) -> list[Group]:
    """Group interventions that share a piece of the link, such as heads that are off."""
    alone: list[Group] = []
    joined: list[Group] = []
    unique = dict.fromkeys(interventions)
    for kind in INTERVENTIONS:
        some = kind.join([intervention for intervention in unique if type(intervention) is kind])
        (joined if kind.joins else alone).extend(some)
    return [*sorted(alone, key=_rank), *joined]


def _rank(group: Group) -> list[str | int]:
    """Rank by text, with the numbers in it by size; texts and numbers alternate."""
    parts = re.split(r"(\d+)", write_group(group))
    return [int(part) if at % 2 else part for at, part in enumerate(parts)]
