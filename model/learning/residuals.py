"""A pass with every residual connection left out, to show its effect on the gradients."""

from typing import Self

from torch import Tensor


class WithoutResiduals:
    """A tap that makes LayerNorm(x + Sublayer(x)) into LayerNorm(Sublayer(x))."""

    def at(self, scope: str) -> Self:  # noqa: ARG002
        """Return the tap for any part of the model: always this tap."""
        return self

    def __call__(self, name: str, tensor: Tensor, *made_of: Tensor) -> Tensor:
        """Return only the second part of a sum of x and Sublayer(x)."""
        return made_of[1] if name.startswith("sum") else tensor
