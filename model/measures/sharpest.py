"""The head with the sharpest attention from content words to other content words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Kind
from model.words import is_special

CROSS_AHEAD = 0.6
"""Cross-attention is easiest to read, so it counts as sharpest from this share of the encoder's."""

MIXED, NEARLY_ALL = 4, 0.8
"""A mixed row gives at least the share NEARLY_ALL to MIXED keys."""

Weights = dict[Kind, NDArray[np.float32]]
"""The weights of each kind of attention, (L, H, query, key)."""


@dataclass(frozen=True)
class Sharpest:
    """A head, and the query that looks most strongly at a single content word in it; from 0.

    `sharpness`, from 0 to 1, is the largest weight on content, averaged over the content queries.
    """

    layer: int
    head: int
    query: int
    sharpness: float


def sharpest_heads(
    weights: Weights,
    tokens: Callable[[Kind], tuple[Sequence[str], Sequence[str]]],
    special: Callable[[str], bool] = is_special,
) -> dict[Kind, Sharpest]:
    """Find the sharpest head of each kind of attention with weights.

    `weights` are (L, H, query, key). `tokens` gives the queries and the keys of a kind. `special`
    is True for tokens that are not text.
    """
    return {
        kind: sharpest(of_kind, content_links(*tokens(kind), kind != "cross", special))
        for kind, of_kind in weights.items()
    }


def sharpest_kind(heads: dict[Kind, Sharpest]) -> Kind:
    """Choose cross-attention, or the encoder if it is sharper by far.

    Where one of the two is missing, return the sharpest other kind.
    """
    if "encoder" not in heads or "cross" not in heads:
        return max(heads, key=lambda kind: heads[kind].sharpness)
    clear = heads["cross"].sharpness >= CROSS_AHEAD * heads["encoder"].sharpness
    return "cross" if clear else "encoder"


def content_links(
    queries: Sequence[str],
    keys: Sequence[str],
    itself: bool,
    special: Callable[[str], bool] = is_special,
) -> NDArray[np.bool_]:
    """Mark the links (query, key) from one content piece to another.

    Special tokens, punctuation marks and bare word starts are not content. With `itself`, tokens
    look at their own sentence; a token's own place and its neighbours do not count either. All
    links count if a sentence has no such link.
    """
    sides = [
        [any(map(str.isalnum, token)) and not special(token) for token in side]
        for side in (queries, keys)
    ]
    links = np.outer(sides[0], sides[1])
    if itself:
        row, column = np.indices(links.shape)
        links &= np.abs(row - column) > 1
    return links if links.any() else np.ones_like(links)


def most_mixed(
    weights: NDArray[np.floating], links: NDArray[np.bool_]
) -> tuple[int, int, int] | None:
    """Find the layer, head and query with the most mixed attention: the largest third-best weight.

    `weights` are (L, H, query, key). Only weights along the links count, and only rows that give
    nearly all weight to four of them. Returns None where there is no such row.
    """
    if weights.shape[-1] < MIXED:
        return None
    strongest = np.sort(weights * links, axis=-1)[..., : -MIXED - 1 : -1]  # L H query MIXED
    third = np.where(strongest.sum(axis=-1) >= NEARLY_ALL, strongest[..., 2], 0)  # L H query
    layer, head, query = (int(index) for index in np.unravel_index(third.argmax(), third.shape))
    return (layer, head, query) if third[layer, head, query] > 0 else None


def sharpest(weights: NDArray[np.floating], links: NDArray[np.bool_]) -> Sharpest:
    """Find the head (L, H, query, key) whose queries look most strongly along one of the links."""
    rows = np.flatnonzero(links.any(axis=1))
    looks = (weights * links)[:, :, rows].max(axis=3).astype(np.float64)  # L H row
    sharpness = looks.mean(axis=2)
    layer, head = (int(index) for index in np.unravel_index(sharpness.argmax(), sharpness.shape))
    query = int(rows[looks[layer, head].argmax()])
    return Sharpest(layer, head, query, float(sharpness[layer, head]))
