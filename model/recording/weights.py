"""The weights of the model behind a recording, as read-only arrays."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from torch import nn

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Weights:
    """A model's weights by name; on a CPU they are views, which take no memory of their own.

    Views show the weights that the model has now, so they change while it is trained.
    """

    arrays: Mapping[str, Floats]

    @classmethod
    def of(cls, network: nn.Module) -> Self:
        """Return views of the weights of a network."""
        views: dict[str, Floats] = {}
        for name, parameter in network.named_parameters():
            views[name] = read_only(parameter.detach().cpu().numpy().view())
        return cls(MappingProxyType(views))

    def __getitem__(self, name: str) -> Floats:
        """Return the array of a name; a matrix is (out, in). Raises ValueError if there is none."""
        try:
            return self.arrays[name]
        except KeyError:
            raise ValueError(f"there is no weight {name!r}") from None

    def linear(self, name: str) -> tuple[Floats, Floats]:
        """Return the matrix W (in, out) and the bias b (out,) of a linear map."""
        return self[f"{name}.weight"].T, self[f"{name}.bias"]


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of the same array."""
    array.setflags(write=False)
    return array


NO_WEIGHTS = Weights(MappingProxyType({}))
"""The weights of a recording that was made from arrays alone: none."""
