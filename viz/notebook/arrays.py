"""Checks of users' own data: arrays of any library as numpy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.language.text import _

Given = Any
"""An array, a tensor, or a list of these."""

Floats = NDArray[np.float32]
TOLERANCE = 0.02
"""The allowed distance of a row's sum from 1: the rounding of half precision."""


def numbers(name: str, array: Given) -> Floats:
    """Return an array, a tensor on any device, or a list of these as float32.

    Raises ValueError, with the name, when they are not numbers in rows of one length.
    """
    try:
        return np.asarray(_plain(array), dtype=np.float32)
    except (TypeError, ValueError):
        kind = type(array).__name__
        raise ValueError(
            f"{name}: numbers in rows of one length expected, found a {kind} of others"
        ) from None


def _plain(array: Given) -> Given:
    if hasattr(array, "detach"):
        return array.detach().float().cpu().numpy()
    return [_plain(part) for part in array] if isinstance(array, list | tuple) else array


def shares(name: str, array: Given) -> Floats:
    """Return weights in the way of `numbers`; ValueError when they are not from 0 to 1.

    A row of nothing but NaN, of a query that was wholly masked, becomes zero.
    """
    weights = numbers(name, array)
    if weights.ndim:
        weights = np.where(np.isnan(weights).all(axis=-1, keepdims=True), np.float32(0), weights)
    if missing := int(np.isnan(weights).sum()):
        raise ValueError(f"{name}: {missing} of {weights.size} weights are NaN")
    if weights.min(initial=0) < 0 or weights.max(initial=0) > 1 + TOLERANCE:
        raise ValueError(f"{name}: weights from 0 to 1 expected, as they are after softmax")
    return weights


def layers(name: str, array: Given, numbered: Sequence[int] | None = None) -> Floats:
    """Return weights (L, H, query, key) in the way of `shares`; a layer may be a batch of one.

    BertViz takes this form: a tuple of (1, H, query, key). `numbered` are the layers' own numbers,
    from 1; those between them are zero. Raises ValueError when it is a larger batch.
    """
    weights = shares(name, array)
    if weights.ndim == 5 and weights.shape[1] > 1:
        raise ValueError(
            f"{name}: a batch of {weights.shape[1]}: choose one, such as weights[:, 0]"
        )
    if weights.ndim == 5:
        weights = weights[:, 0]
    if numbered is None:
        return weights
    places = [number - 1 for number in numbered]
    if sorted(set(places)) != places or len(places) != len(weights) or places[0] < 0:
        said = f"{len(weights)} rising numbers from 1 on, one for each layer of {name}"
        raise ValueError(f"layers must be {said}, not {list(numbered)}")
    every = np.zeros((places[-1] + 1, *weights.shape[1:]), np.float32)
    every[places] = weights
    return every


def check_rows(name: str, weights: Floats) -> None:
    """Raise ValueError when a query's weights add up to more than 1."""
    sums = weights.sum(axis=-1)  # L H query
    wrong = np.argwhere(sums > 1 + TOLERANCE)
    if len(wrong):
        layer, head, query = (int(index) for index in wrong[0])
        raise ValueError(
            f"{name}: the weights of each query must add up to 1 at most; those of layer "
            f"{layer + 1}, head {head + 1}, query {query + 1} add up to "
            f"{sums[layer, head, query]:.3g} (in training, dropout changes them: call model.eval())"
        )


def notes(name: str, weights: Floats) -> list[str]:
    """Say what is blank in weights (L, H, query, key), and whether rows add up to less than 1."""
    sums = weights.sum(axis=-1)  # L H query
    seen = sums > 0
    empty = [str(layer + 1) for layer in np.flatnonzero(~seen.any(axis=(1, 2)))]
    blind = int((~seen[seen.any(axis=(1, 2))]).any(axis=(0, 1)).sum())
    said: list[str] = []
    if empty:
        text = _("{kind}: nothing is shown of layers {numbers}, which have no weights")
        said.append(text.format(kind=name, numbers=", ".join(empty)))
    if blind:
        text = _("{kind}: {count} queries look at nothing in some head: blank rows")
        said.append(text.format(kind=name, count=blind))
    if seen.any() and (least := float(sums[seen].min())) < 1 - TOLERANCE:
        text = _("{kind}: rows add up to {least:.2f} to 1; the rest goes to none of these tokens")
        said.append(text.format(kind=name, least=least))
    return said
