"""The choices on the decoder page, as frozen data and as parameters of a link."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from viz.compute.decodes import Settings, StrategyName
from viz.link.branches import Forcing
from viz.link.table import parameter
from viz.pages.decoder.entry import ENTRY

_OWN = ENTRY.parameters
_ROWS = {one.name: one for one in (parameter("step"), *_OWN)}
PARAMETERS = tuple(_ROWS)
"""The names of the parameters in the link."""

_AT_FIRST: dict[str, Any] = {one.name: one.default for one in _OWN}


@dataclass(frozen=True)
class DecoderView(Settings):
    """The strategy and its settings, the branches, and the step on screen.

    `step` counts from 1, as on screen. `attention_layer` and `attention_head` count from 0, and
    None is the mean. `branch` 0 is the free decode; then come the what-ifs and, last, the given
    translation, if any. `node` is the chosen node of the beam tree.
    """

    strategy: StrategyName = _AT_FIRST["strategy"]
    width: int = _AT_FIRST["width"]
    penalty: float = _AT_FIRST["penalty"]
    temperature: float = _AT_FIRST["temperature"]
    top_k: int = _AT_FIRST["top_k"]
    top_p: float = _AT_FIRST["top_p"]
    seed: int = _AT_FIRST["seed"]
    step: int = 1
    attention_layer: int | None = _AT_FIRST["attention_layer"]
    attention_head: int | None = _AT_FIRST["attention_head"]
    branches: tuple[Forcing, ...] = _AT_FIRST["branches"]
    branch: int = _AT_FIRST["branch"]
    given: str = _AT_FIRST["given"]
    node: int | None = _AT_FIRST["node"]

    def to_parameters(self) -> dict[str, str]:
        """Write the parameters that matter for this strategy and differ from the defaults.

        The layer and the step are always written.
        """
        said = {one.name: one.said(getattr(self, one.name)) for one in _OWN}
        said = {name: text for name, text in said.items() if text and self._matters(name)}
        layer = _ROWS["attention_layer"].form.write(self.attention_layer)
        return {**said, "attention_layer": layer, "step": str(self.step)}

    def _matters(self, name: str) -> bool:
        owner = _OWNERS.get(name)
        return owner is None or owner == self.strategy

    def for_another_sentence(self) -> "DecoderView":
        """Return the view without the choices that are about this sentence."""
        gone = {one.name: one.default for one in _OWN if one.reach == "this sentence"}
        return replace(self, step=1, **gone)


@dataclass(frozen=True)
class ParsedView:
    """A view read from a link; `malformed` names the parameters that made no sense."""

    view: DecoderView
    malformed: tuple[str, ...]


def parse_view(parameters: Mapping[str, str], layers: int, heads: int) -> ParsedView:
    """Read a link for a model of this many decoder layers and heads.

    A parameter that makes no sense gets its default, and is named in `malformed`.
    """
    values: dict[str, Any] = {}
    malformed: list[str] = []
    counts = {"attention_layer": layers, "attention_head": heads}
    for name in PARAMETERS:
        if not (text := parameters.get(name, "")):
            continue
        try:
            value = _ROWS[name].form.read(text)
        except ValueError:
            malformed.append(name)
            continue
        if name in counts and value is not None and value >= counts[name]:
            malformed.append(name)
        else:
            values[name] = value
    values["step"] = values.get("step", 0) + 1
    view = DecoderView(**values)
    if view.branch > len(view.branches) + bool(view.given):
        malformed.append("branch")
        view = replace(view, branch=0)
    return ParsedView(view, tuple(malformed))


_OWNERS: dict[str, StrategyName] = {
    "width": "beam",
    "penalty": "beam",
    "node": "beam",
    "temperature": "sampling",
    "top_k": "sampling",
    "top_p": "sampling",
    "seed": "sampling",
}
