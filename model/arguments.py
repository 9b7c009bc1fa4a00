"""Arguments of the wrong type or form: each error names the argument and what was expected."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import TypeVar

from model.decoding.greedy import Greedy
from model.decoding.steps import Strategy

T = TypeVar("T")


def strategy(value: Strategy | None) -> Strategy:
    """Return the strategy, greedy by default; ValueError if it is not a strategy."""
    made = hasattr(value, "steps") and not isinstance(value, type)
    if value is not None and not made:
        ours = "Greedy(), Beam(4) or Sampling(...)"
        raise ValueError(f"the strategy must be {ours}, not {shortened(value)}")
    return value or Greedy()


def ids(name: str, values: Sequence[int], wanted: str = "a list of ids") -> Sequence[int]:
    """Return the ids of an argument; ValueError names the argument if they are none."""
    if (
        isinstance(values, str | bytes)
        or not isinstance(values, Iterable)
        or not all(isinstance(id_, Integral) for id_ in values)
    ):
        raise ValueError(f"{name} must be {wanted}, not {shortened(values)}")
    return values


def texts(values: Iterable[T]) -> Iterable[T]:
    """Return several texts; ValueError if they are one, or no texts."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"the texts must be a list of texts, not {shortened(values)}")
    return values


def count(name: str, value: int | None) -> None:
    """Raise ValueError, which names the argument, unless a count is None or above 0."""
    if value is not None and not (isinstance(value, Integral) and value > 0):
        raise ValueError(f"{name} must be a whole number above 0, not {shortened(value)}")


def choice(name: str, value: object, known: Sequence[object]) -> None:
    """Raise ValueError, which names the argument, unless its value is a known one."""
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(str, known))}, not {value!r}")


def optional(name: str, value: object, kind: type) -> None:
    """Raise ValueError, which names the argument, unless it is None or of a kind."""
    if value is not None and not isinstance(value, kind):
        raise ValueError(f"{name} must be a {kind.__name__}, not {shortened(value)}")


def shortened(value: object) -> str:
    """Return a value in at most 60 characters, for the message of an error."""
    written = repr(value)
    return written if len(written) <= 60 else f"{written[:57]}..."
