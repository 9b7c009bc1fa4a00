"""A pass with every residual connection left out, to see what becomes of the gradients."""

from typing import Self

from torch import Tensor


class WithoutResiduals:
    """A tap that makes LayerNorm(x + Sublayer(x)) into LayerNorm(Sublayer(x)).

    Each sublayer's output leaves as Sublayer(x) - x, to which the layer adds x again. The two x
    cancel in the gradient as well, exactly: autograd adds +g and -g before anything else. For one
    pass, without dropout, which would fall on the difference.
    """

    def __init__(self, prefix: str = "", streams: dict[str, Tensor] | None = None) -> None:
        """Start with no stream; `prefix` is the scope of the names that pass here."""
        self._prefix = prefix
        self._streams = {} if streams is None else streams

    def at(self, scope: str) -> Self:
        """Return the tap of the same pass for names that start with `scope`."""
        return type(self)(f"{self._prefix}{scope}.", self._streams)

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        """Remember each stack's stream and take it from what its sublayers put out."""
        stack = self._prefix.split(".")[0]
        if name == "out":
            return tensor - self._streams[stack]
        if name == "input" or name.startswith("norm"):
            self._streams[stack] = tensor
        return tensor
