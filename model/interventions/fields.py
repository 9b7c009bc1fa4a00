"""The values of interventions as pieces of a link; a wrong piece is refused with ValueError.

All written characters are safe in links. "_" is not among them: it separates interventions.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

from model.sites.sites import KINDS, STACKS, Kind, Stack, Sublayer

MOST_HEADS, MOST_PIECES = 32, 256
"""Limits: no model has more layers or heads, and no sentence more pieces."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class Field(Generic[Value]):
    """One value of an intervention as text; `read` raises ValueError for any other text."""

    read: Callable[[str], Value]
    write: Callable[[Value], str]


def one_of(names: dict[str, Value], name: str) -> Value:
    """Return the value of a name."""
    if name not in names:
        raise ValueError(f"{name} is none of {', '.join(names)}")
    return names[name]


def split(text: str, count: int) -> list[str]:
    """Cut a text at its dots into `count` values; the last value may contain dots."""
    values = text.split(".", count - 1)
    if len(values) != count:
        raise ValueError(f"{count} values expected: {text}")
    return values


def number(text: str) -> int:
    """Read a whole number from 1 to 999."""
    return int(matched(r"[1-9]\d{0,2}", text))


def matched(pattern: str, text: str) -> str:
    """Return the text if it matches this pattern; else raise ValueError."""
    if not re.fullmatch(pattern, text, re.ASCII):
        raise ValueError(f"{text} is no {pattern}")
    return text


def span(text: str) -> tuple[int, int]:
    """Read the first and the last number of a text such as 3-7; 3 alone is both."""
    first, _, last = text.partition("-")
    start, end = number(first), number(last if "-" in text else first)
    if start > end:
        raise ValueError(f"not a range: {text}")
    return start, end


def ranges(values: Iterable[int]) -> str:
    """Write numbers for a link, raised by 1, with ranges: 0, 1, 2 and 6 become 1-3~7."""
    runs = []
    for _, run in groupby(enumerate(sorted(values)), key=lambda pair: pair[1] - pair[0]):
        some = [value + 1 for _, value in run]
        runs.append(str(some[0]) if len(some) == 1 else f"{some[0]}-{some[-1]}")
    return "~".join(runs)


def numbers(text: str, most: int = MOST_HEADS) -> list[int]:
    """Read the text of `ranges`; ValueError when there are more numbers than any model has."""
    values: dict[int, None] = {}
    for part in text.split("~"):
        first, last = span(part)
        if last > most:
            raise ValueError(f"{last} is more than {most}, which is the most there can be")
        values |= dict.fromkeys(range(first - 1, last))
    return list(values)


def _named(names: dict[str, Value]) -> Field[Value]:
    """Write values by their names."""
    by_value = {value: name for name, value in names.items()}
    return Field(lambda text: one_of(names, text), by_value.__getitem__)


def _quoted(text: str) -> str:
    marks = {" ": "~"}
    return "".join(
        mark if mark.isascii() and mark.isalnum() else marks.get(mark, f"-{ord(mark):x}-")
        for mark in text
    )


def _unquoted(text: str) -> str:
    matched(r"([A-Za-z\d~]|-[\da-f]{1,6}-)*", text)
    plain = re.sub(r"-(\w+)-", lambda code: chr(int(code[1], 16)), text.replace("~", " "))
    plain.encode()  # refuses half a surrogate pair
    return plain


def _read_site(text: str) -> str:
    names = {written: name for name, written in _SITE_NAMES.items()}
    parts = [str(int(part) - 1) if part.isdigit() else part for part in text.split("~")]
    return ".".join(names.get(part, part) for part in parts)


def _write_site(site: str) -> str:
    parts = [str(int(part) + 1) if part.isdigit() else part for part in site.split(".")]
    return "~".join(_SITE_NAMES.get(part, part) for part in parts)


def _head(text: str) -> tuple[int, int | None]:
    layer, dash, head = text.partition("-")
    return number(layer) - 1, number(head) - 1 if dash else None


def _head_text(pair: tuple[int, int | None]) -> str:
    layer, head = pair
    return f"{layer + 1}" if head is None else f"{layer + 1}-{head + 1}"


def _factor(text: str) -> float:
    return float(matched(r"-?\d{1,3}(\.\d{1,20})?(e-\d{2,3})?", text))


_SITE_NAMES = {"encoder": "e", "decoder": "d", "self_attn": "attn", "cross_attn": "cross"}

KIND: Field[Kind] = _named({kind[0]: kind for kind in KINDS})
STACK: Field[Stack] = _named({stack[0]: stack for stack in STACKS})
SUBLAYER: Field[Sublayer] = _named({"attn": "self_attn", "cross": "cross_attn", "ffn": "ffn"})
MATRICES: Field[bool] = _named({"qk": False, "qkv": True})
"""Two matrices that become one (qk), or three (qkv)."""

LENGTH = Field(number, str)
PLACE = Field(lambda text: number(text) - 1, lambda place: str(place + 1))
"""A layer, head, query, key or position: from 0 in the model, from 1 in a link."""

SITE = Field(
    lambda text: _read_site(matched(r"[ed](~[1-9]\d?)?(~(attn|cross|ffn))?~[a-z]+[123]?", text)),
    _write_site,
)
"""A site with its layer from 1: encoder.3.self_attn.z is written e~4~attn~z."""

PERHAPS_HEAD: Field[int | None] = Field(
    lambda text: None if text == "all" else PLACE.read(text),
    lambda head: "all" if head is None else PLACE.write(head),
)
"""One head, or all heads."""

PIECES: Field[tuple[int, ...]] = Field(
    lambda text: tuple(numbers(text, MOST_PIECES)), lambda places: ranges(places)
)
"""Pieces in rising order, such as 2-3~7."""

HEADS: Field[tuple[tuple[int, int | None], ...]] = Field(
    lambda text: () if text == "all" else tuple(map(_head, text.split("~"))),
    lambda heads: "~".join(map(_head_text, heads)) or "all",
)
"""Heads as layer-head, such as 6-4, and whole layers, such as 5~6; "all" for all heads."""

UNIT = Field(lambda text: int(matched(r"[1-9]\d{0,4}", text)) - 1, lambda unit: str(unit + 1))
SHIFT = Field(lambda text: int(matched(r"-?\d{1,3}", text)), str)
SEED = Field(lambda text: int(matched(r"\d{1,9}", text)), str)
FACTOR = Field(_factor, repr)
FACTORS: Field[tuple[float, ...]] = Field(
    lambda text: tuple(map(_factor, text.split("~"))), lambda values: "~".join(map(repr, values))
)
"""Numbers in a row, such as weights; they contain dots, so they come last."""

TEXT = Field(_unquoted, _quoted)
"""Any text, such as another sentence: "It is." is written It~is-2e-."""
