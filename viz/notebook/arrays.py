"""Checks of users' own data: arrays of any library as numpy, and their tokens as texts."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.words import WORD_START

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
        found = type(array).__name__
        raise ValueError(
            f"{name}: numbers in rows of one length expected, found a {found} of others"
        ) from None


def _plain(array: Given) -> Given:
    if hasattr(array, "detach"):
        return array.detach().float().cpu().numpy()
    return [_plain(part) for part in array] if isinstance(array, list | tuple) else array


def shares(name: str, array: Given) -> Floats:
    """Return weights in the way of `numbers`; ValueError when they are not from 0 to 1."""
    weights = numbers(name, array)
    if missing := int(np.isnan(weights).sum()):
        raise ValueError(f"{name}: {missing} of {weights.size} weights are NaN")
    if weights.min(initial=0) < 0 or weights.max(initial=0) > 1 + TOLERANCE:
        raise ValueError(f"{name}: weights from 0 to 1 expected, as they are after softmax")
    return weights


def layers(name: str, array: Given) -> Floats:
    """Return weights (L, H, query, key) in the way of `shares`; a layer may be a batch of one.

    BertViz takes this form: a tuple of (1, H, query, key).
    """
    weights = shares(name, array)
    return weights[:, 0] if weights.ndim == 5 and weights.shape[1] == 1 else weights


def check_rows(name: str, weights: Floats) -> None:
    """Raise ValueError unless each query's weights add up to 1, or to 0 when it sees nothing."""
    sums = weights.sum(axis=-1)  # L H query
    wrong = np.argwhere((np.abs(sums - 1) > TOLERANCE) & (sums != 0))
    if len(wrong):
        layer, head, query = (int(place) for place in wrong[0])
        raise ValueError(
            f"{name}: the weights of each query must add up to 1; those of layer {layer + 1}, "
            f"head {head + 1}, query {query + 1} add up to {sums[layer, head, query]:.3g} "
            "(in training, dropout takes some: call model.eval())"
        )


def texts(tokens: Iterable[object]) -> tuple[str, ...]:
    """Return tokens with SentencePiece's mark for a space before a word.

    Raises ValueError when one is not a text.
    """
    return tuple(map(_text, tokens))


def _text(token: object) -> str:
    if not isinstance(token, str):
        raise ValueError(
            f"tokens must be texts, not {token!r} ({type(token).__name__}); "
            "tokenizer.convert_ids_to_tokens(ids) makes them of ids"
        )
    return token.replace("\u0120", WORD_START).replace("\u010a", "\u21b5")
