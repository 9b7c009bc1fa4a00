"""The forms of values in the link: how they are read and written."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")

MOST = 9999
"""The most pieces of any sentence; pages check the actual sentence."""


@dataclass(frozen=True)
class Form(Generic[Value]):
    """The form of a value. `read` raises ValueError when a text does not fit."""

    read: Callable[[str], Value]
    write: Callable[[Value], str] = str


TEXT = Form(str)


def whole(least: int, most: int) -> Form[int]:
    """Return the form of whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most} expected, not {text!r}")
        return int(text)

    return Form(read)


def real(least: float, most: float) -> Form[float]:
    """Return the form of numbers from `least` to `most`."""

    def read(text: str) -> float:
        value = float(text)
        if not (math.isfinite(value) and least <= value <= most):
            raise ValueError(f"a number from {least} to {most} expected, not {text!r}")
        return value

    return Form(read)


def one_of(options: Sequence[str]) -> Form[str]:
    """Return the form of a choice among some words."""

    def read(text: str) -> str:
        if text not in options:
            raise ValueError(f"one of {', '.join(options)} expected, not {text!r}")
        return text

    return Form(read)


PLACE: Form[int] = Form(lambda text: whole(1, MOST).read(text) - 1, lambda place: str(place + 1))
"""A place, which counts from 1 in the link and from 0 in this program."""

PLACE_OR_MEAN: Form[int | None] = Form(
    lambda text: None if text == "mean" else PLACE.read(text),
    lambda place: "mean" if place is None else PLACE.write(place),
)


def _read_head(text: str) -> tuple[int, int] | None:
    if text == "mean":
        return None
    layer, dot, head = text.partition(".")
    if not dot:
        raise ValueError(f"layer.head expected, not {text!r}")
    return PLACE.read(layer), PLACE.read(head)


HEAD_OR_MEAN: Form[tuple[int, int] | None] = Form(
    _read_head, lambda head: "mean" if head is None else ".".join(map(PLACE.write, head))
)
"""A layer and a head, "5.6"; None is the mean of all heads."""
