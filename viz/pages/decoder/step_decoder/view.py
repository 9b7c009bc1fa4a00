"""The choices on the decoder page, as frozen data and as the parameters of a link."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

StrategyName = Literal["greedy", "beam", "sampling"]
STRATEGIES: tuple[StrategyName, ...] = get_args(StrategyName)

MAX_BRANCHES = 40
"""The most branches; enough for any lesson, and a link cannot ask for more work."""

Parsed = int | float | str | tuple["Forcing", ...] | None


@dataclass(frozen=True)
class Forcing:
    """A what-if branch: it keeps `prefix` of another one and goes on with `forced`, in ids."""

    prefix: tuple[int, ...]
    forced: tuple[int, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        """Return the ids that the decoder is not free to choose."""
        return self.prefix + self.forced


@dataclass(frozen=True)
class DecoderView:
    """The strategy and its settings, the branches, and the step on screen.

    `step` counts from 1, as people read it. `attention_layer` and `attention_head` are 0-based,
    None is the mean. `branch` 0 is the free one, then come the what-ifs, then the given
    translation if there is one. `node` is the node of the beam tree that is looked at.
    """

    strategy: StrategyName = "greedy"
    width: int = 4
    penalty: float = 0.6
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 1
    step: int = 1
    attention_layer: int | None = None
    attention_head: int | None = None
    branches: tuple[Forcing, ...] = ()
    branch: int = 0
    given: str = ""
    node: int | None = None

    def to_parameters(self) -> dict[str, str]:
        """Write the parameters that differ from the defaults and matter for this strategy."""
        default = DecoderView()
        written = {
            field.name: _WRITERS.get(field.name, str)(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != getattr(default, field.name)
        }
        place = {"attention_layer": _write_place(self.attention_layer), "step": str(self.step)}
        return {name: text for name, text in (written | place).items() if self._matters(name)}

    def _matters(self, name: str) -> bool:
        owner = _OWNERS.get(name)
        return owner is None or owner == self.strategy

    def for_another_sentence(self) -> "DecoderView":
        """Keep strategy, layer and head; the rest was about the sentence."""
        return replace(self, step=1, branches=(), branch=0, given="", node=None)


@dataclass(frozen=True)
class ParsedView:
    """A view read from a link; `malformed` names the parameters that made no sense."""

    view: DecoderView
    malformed: tuple[str, ...]


def parse_view(parameters: Mapping[str, str], layers: int, heads: int) -> ParsedView:
    """Read a link to a model of this many decoder layers and heads.

    What makes no sense keeps its default and is named in `malformed`.
    """
    values: dict[str, Parsed] = {}
    malformed: list[str] = []
    for name, read in _READERS.items():
        text = parameters.get(name, "")
        if text == "":
            continue
        try:
            values[name] = read(text)
        except ValueError:
            malformed.append(name)
    for name, count in (("attention_layer", layers), ("attention_head", heads)):
        place = values.get(name)
        if isinstance(place, int) and place >= count:
            del values[name]
            malformed.append(name)
    view = replace(DecoderView(), **values)  # pyright: ignore[reportArgumentType]
    last = len(view.branches) + bool(view.given)
    if view.branch > last:
        malformed.append("branch")
        view = replace(view, branch=0)
    return ParsedView(view, tuple(malformed))


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most} expected, not {text!r}")
        return int(text)

    return read


def _real(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text)
        if not (math.isfinite(value) and least <= value <= most):
            raise ValueError(f"a number from {least} to {most} expected, not {text!r}")
        return value

    return read


def _place(text: str) -> int | None:
    return None if text == "mean" else _whole(1, 999)(text) - 1


def _strategy(text: str) -> str:
    if text not in STRATEGIES:
        raise ValueError(f"one of {', '.join(STRATEGIES)} expected, not {text!r}")
    return text


def _forcings(text: str) -> tuple[Forcing, ...]:
    """Read "1-2.3_4": branch one keeps 1 2 and forces 3, branch two forces 4."""
    branches = tuple(_forcing(part) for part in text.split("_"))
    if len(branches) > MAX_BRANCHES:
        raise ValueError(f"at most {MAX_BRANCHES} branches, not {len(branches)}")
    return branches


def parse_prefix(text: str) -> tuple[int, ...]:
    """Read "1-2" as ids; nonsense gives none."""
    return _ids(text) if re.fullmatch(r"\d{1,6}(-\d{1,6})*", text) else ()


def _forcing(text: str) -> Forcing:
    if not re.fullmatch(r"(\d{1,6}(-\d{1,6})*\.)?\d{1,6}(-\d{1,6})*", text):
        raise ValueError(f"ids expected, not {text!r}")
    prefix, _, forced = text.rpartition(".")
    return Forcing(_ids(prefix), _ids(forced))


def _ids(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("-")) if text else ()


def _write_forcings(branches: tuple[Forcing, ...]) -> str:
    return "_".join(
        ("-".join(map(str, branch.prefix)) + "." if branch.prefix else "")
        + "-".join(map(str, branch.forced))
        for branch in branches
    )


def _write_place(place: int | None) -> str:
    return "mean" if place is None else str(place + 1)


_READERS: dict[str, Callable[[str], Parsed]] = {
    "strategy": _strategy,
    "width": _whole(1, 8),
    "penalty": _real(0, 2),
    "temperature": _real(0.05, 5),
    "top_k": _whole(0, 999_999),
    "top_p": _real(0.01, 1),
    "seed": _whole(0, 999_999),
    "step": _whole(1, 9999),
    "attention_layer": _place,
    "attention_head": _place,
    "branches": _forcings,
    "branch": _whole(0, MAX_BRANCHES + 1),
    "given": lambda text: text[:2000],
    "node": _whole(0, 99_999),
}
PARAMETERS = tuple(_READERS)
"""The names of the parameters in the link."""

_WRITERS: dict[str, Callable[..., str]] = {
    "branches": _write_forcings,
    "attention_layer": _write_place,
    "attention_head": _write_place,
}
_OWNERS: dict[str, StrategyName] = {
    "width": "beam",
    "penalty": "beam",
    "node": "beam",
    "temperature": "sampling",
    "top_k": "sampling",
    "top_p": "sampling",
    "seed": "sampling",
}
