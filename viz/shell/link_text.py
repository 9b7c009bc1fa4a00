"""Numbers, ranges and names as pieces of a link; what they are not is refused with ValueError."""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import TypeVar

MOST_HEADS = 32
"""No model has more layers or heads."""

Value = TypeVar("Value")


def one_of(names: dict[str, Value], name: str) -> Value:
    """Return what a name stands for."""
    if name not in names:
        raise ValueError(f"{name} is none of {', '.join(names)}")
    return names[name]


def split(text: str, count: int) -> list[str]:
    """Cut a text at its dots into so many fields."""
    fields = text.split(".")
    if len(fields) != count:
        raise ValueError(f"{count} values expected: {text}")
    return fields


def number(text: str) -> int:
    """Read a whole number from 1 to 999."""
    return int(matched(r"[1-9]\d{0,2}", text))


def matched(pattern: str, text: str) -> str:
    """Return a text that is of this pattern."""
    if not re.fullmatch(pattern, text, re.ASCII):
        raise ValueError(f"{text} is no {pattern}")
    return text


def span(text: str) -> tuple[int, int]:
    """Read the first and the last number of 3-7; of 3, twice the same."""
    first, _, last = text.partition("-")
    start, end = number(first), number(last if "-" in text else first)
    if start > end:
        raise ValueError(f"not a range: {text}")
    return start, end


def ranges(values: Iterable[int]) -> str:
    """Write 0-based numbers from 1 on, runs of them as a range: 1-3~7."""
    runs = []
    for _, run in groupby(enumerate(sorted(values)), key=lambda pair: pair[1] - pair[0]):
        some = [value + 1 for _, value in run]
        runs.append(str(some[0]) if len(some) == 1 else f"{some[0]}-{some[-1]}")
    return "~".join(runs)


def numbers(text: str) -> list[int]:
    """Read what `ranges` writes; ValueError when there are more than any model has."""
    found: dict[int, None] = {}
    for part in text.split("~"):
        first, last = span(part)
        if last > MOST_HEADS:
            raise ValueError(f"no model has {last} layers or heads")
        found |= dict.fromkeys(range(first - 1, last))
    return list(found)
