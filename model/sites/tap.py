"""Taps: a forward pass lets its tensors be read and changed, and leaves the model unchanged.

Every forward takes `tap` and names its tensors: `weights = tap("weights", ...)`. `NO_TAP` returns
them unchanged. A `Recorder` applies the edit of the site, if any, and keeps the result. At the
end of a block its input tensors pass too, so that an edit can leave the block out: `tap("norm1",
self.norm1(x), x)`. The model object itself stays untouched, so threads can share it.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol, Self

import torch
from torch import Tensor

Edit = Callable[..., Tensor]
"""A function of a site's tensor, and of those of its parts if they pass; it returns a new one."""


def own_edits(functions: Mapping[str, Edit], known: Collection[str]) -> dict[str, Edit]:
    """Turn a caller's functions, named by site, into edits.

    Each function gets a copy (1, ...), which it may change; of several sentences or prefixes, one
    at a time. Raises ValueError when there is no such site and, in a run, when a function does not
    return a tensor of the same shape, or returns NaN.
    """
    if not isinstance(functions, Mapping):
        said = '{"encoder.3.ffn.out": function}'
        raise ValueError(
            f"edits must be functions by the names of sites, {said}, not {functions}; "
            "interventions go into interventions="
        )
    for site in functions:
        if site not in known:
            near = get_close_matches(site, known, 1)
            raise ValueError(
                f"there is no site {site!r}" + (f"; did you mean {near[0]!r}?" if near else "")
            )
    return {site: _OwnEdit(site, function) for site, function in functions.items()}


@dataclass(frozen=True)
class _OwnEdit:
    site: str
    function: Edit

    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        if len(tensor) > 1:
            return torch.cat([self(row) for row in tensor.split(1)])
        changed = self.function(tensor.clone())
        if not isinstance(changed, Tensor) or changed.shape != tensor.shape:
            shape = tuple(changed.shape) if isinstance(changed, Tensor) else type(changed).__name__
            raise ValueError(
                f"{self.site}: the function must return a tensor {tuple(tensor.shape)}, not {shape}"
            )
        if missing := int(changed.isnan().sum()) - int(tensor.isnan().sum()):
            raise ValueError(
                f"{self.site}: the function returned NaN for {missing} of {changed.numel()} numbers"
            )
        return changed.to(tensor.dtype)


class Tap(Protocol):
    """The methods of a tap that a forward pass calls."""

    def __call__(self, name: str, tensor: Tensor, *made_of: Tensor) -> Tensor:
        """Return `tensor` of the site `name`, perhaps changed."""
        ...

    def at(self, scope: str) -> Self:
        """Return the tap for the part of the model called `scope`."""
        ...


class _NoTap:
    def __call__(self, name: str, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        return tensor

    def at(self, scope: str) -> Self:  # noqa: ARG002
        return self


NO_TAP: Tap = _NoTap()


class Editor:
    """Applies edits, by full site name, and keeps nothing: for runs that only need the result.

    Unlike a Recorder it may be used for many runs, and edits of sites that are not reached are
    allowed: encoding and decoding are separate runs with the same edits.
    """

    def __init__(self, edits: Mapping[str, Edit], prefix: str = "") -> None:
        """Edit the sites in `edits`; the names that arrive here start with `prefix`."""
        self._edits, self._prefix = edits, prefix

    def at(self, scope: str) -> "Editor":
        """Return the editor for names that start with `scope`."""
        return Editor(self._edits, f"{self._prefix}{scope}.")

    def __call__(self, name: str, tensor: Tensor, *made_of: Tensor) -> Tensor:
        """Apply this site's edit and return the result."""
        edit = self._edits.get(self._prefix + name)
        return tensor if edit is None else edit(tensor, *made_of)


class Recorder:
    """Keeps every tensor of a pass, after applying the edit of its site.

    It keeps the tensors themselves: nothing in a forward pass changes one in place. `edits` maps
    full site names ("encoder.3.self_attn.z") to functions. `recorded` holds the tensors by full
    site name, in the order of the forward pass. Raises ValueError when a site passes twice, and on
    `finish` when an edit's site was never reached.
    """

    def __init__(self, edits: Mapping[str, Edit] | None = None) -> None:
        """Start an empty recording."""
        self.edits = edits or {}
        self.recorded: dict[str, Tensor] = {}
        self._prefix = ""

    def at(self, scope: str) -> "Recorder":
        """Return a recorder of the same recording whose names start with `scope`."""
        inner = Recorder(self.edits)
        inner.recorded, inner._prefix = self.recorded, f"{self._prefix}{scope}."
        return inner

    def __call__(self, name: str, tensor: Tensor, *made_of: Tensor) -> Tensor:
        """Apply this site's edit, keep the result and return it."""
        site = self._prefix + name
        if site in self.recorded:
            raise ValueError(f"the site {site!r} was recorded twice in one run")
        if edit := self.edits.get(site):
            tensor = edit(tensor, *made_of)
        self.recorded[site] = tensor
        return tensor

    def finish(self) -> dict[str, Tensor]:
        """Return the recorded tensors; ValueError if an edit's site was never reached."""
        if missed := sorted(set(self.edits) - set(self.recorded)):
            raise ValueError(f"no such site in this run: {', '.join(missed)}")
        return self.recorded
