"""The decoder's cache of keys and values between steps, so that a step computes one piece.

A forward pass takes a cache as it takes a tap; the default `NO_CACHE` keeps nothing. The model
object itself stays untouched, so threads can share it; a cache belongs to one run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

KeysValues = tuple[Tensor, Tensor]
"""Keys and values, (B, H, S, Dk) each."""

Project = Callable[[Tensor], KeysValues]
"""Projects vectors (B, S, D) to keys and values."""

Keep = Callable[[Project, Tensor], KeysValues]
"""Gives an attention sublayer the keys and values of everything that it may look at."""


def afresh(project: Project, source: Tensor) -> KeysValues:
    """Project everything anew and keep nothing."""
    return project(source)


@dataclass(frozen=True)
class LayerCache:
    """The caches of one decoder layer: for its own positions, and for the memory."""

    own: Keep = afresh
    memory: Keep = afresh


NOTHING_KEPT = LayerCache()


class Cache(Protocol):
    """The attributes of a cache that a decoder uses; `length` counts its known positions."""

    @property
    def length(self) -> int:
        """Return how many positions of the target are known."""
        ...

    def layer(self, number: int) -> LayerCache:
        """Return the cache of one layer."""
        ...


class _NoCache:
    length = 0

    def layer(self, number: int) -> LayerCache:  # noqa: ARG002
        return NOTHING_KEPT


NO_CACHE: Cache = _NoCache()


class KeyValueCache:
    """The keys and values of a run so far, for N prefixes of P pieces that share one memory."""

    def __init__(self, layers: int) -> None:
        """Start empty, for a decoder of `layers` layers."""
        self._past = [_Past() for _ in range(layers)]
        self._memory = [_Once() for _ in range(layers)]
        self._layers = [LayerCache(*kept) for kept in zip(self._past, self._memory, strict=True)]

    @property
    def length(self) -> int:
        """Return how many positions of the target are known, P."""
        known = self._past[0].known
        return known[0].size(2) if known else 0

    @property
    def nbytes(self) -> int:
        """Return the bytes of the kept keys and values, including those of the memory."""
        tensors = [
            part.known for pair in zip(self._past, self._memory, strict=True) for part in pair
        ]
        return sum(
            tensor.nbytes for keys_values in tensors if keys_values for tensor in keys_values
        )

    def layer(self, number: int) -> LayerCache:
        """Return the cache of one layer."""
        return self._layers[number]

    def select(self, rows: Tensor | None) -> None:
        """Keep only these prefixes (rows of N), in this order; None drops them all."""
        for past in self._past:
            past.select(rows)

    def cut(self, length: int) -> None:
        """Keep only the first `length` positions."""
        for past in self._past:
            past.cut(length)


class _Past:
    """The keys and values of earlier positions, (N, H, P, Dk) each; every call adds positions."""

    def __init__(self) -> None:
        self.known: KeysValues | None = None

    def __call__(self, project: Project, source: Tensor) -> KeysValues:
        k, v = project(source)  # N H T-P Dk
        if self.known:
            k = torch.cat([self.known[0], k], dim=2)  # N H T Dk
            v = torch.cat([self.known[1], v], dim=2)  # N H T Dk
        self.known = k, v
        return k, v

    def select(self, rows: Tensor | None) -> None:
        k_v = self.known
        self.known = None if rows is None or k_v is None else (k_v[0][rows], k_v[1][rows])

    def cut(self, length: int) -> None:
        if self.known:
            self.known = self.known[0][:, :, :length], self.known[1][:, :, :length]


class _Once:
    """The keys and values of vectors that stay the same in a run, projected by the first step."""

    def __init__(self) -> None:
        self.known: KeysValues | None = None

    def __call__(self, project: Project, source: Tensor) -> KeysValues:
        if self.known is None:
            self.known = project(source)
        return self.known
