"""Sums of many parts, made readable: biases together, largest parts first, the rest added up."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.recording.parts import Parts, ScoreParts
from viz.pages.why.words import NORMS, PROJECTION, REST, origin

Doubles = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Terms:
    """Numbers (P,) that add up to a whole, with their names."""

    names: tuple[str, ...]
    values: Doubles


@dataclass(frozen=True, eq=False)
class Products:
    """Numbers (Pq, Pk) that add up to a score, one for each pair of a query part and a key part."""

    query: tuple[str, ...]
    key: tuple[str, ...]
    values: Doubles


def merged(name: str) -> str:
    """Return the group of a part: all biases of norms, a bias of q or k, or the part itself."""
    parts = name.split(".")
    if parts[-1] != "bias":
        return name
    if parts[-2].startswith("norm"):
        return NORMS
    return PROJECTION if parts[-2] in ("q", "k") else name


def grouped(names: Sequence[str], values: Doubles) -> tuple[tuple[str, ...], Doubles]:
    """Add up the parts of the same group along the first axis of (P, ...); the order is kept."""
    return _added([merged(name) for name in names], values)


def _added(labels: Sequence[str], values: Doubles) -> tuple[tuple[str, ...], Doubles]:
    """Add up the rows of (P, ...) that have the same label."""
    groups = list(dict.fromkeys(labels))
    sums = np.zeros((len(groups), *values.shape[1:]))
    for label, value in zip(labels, values, strict=True):
        sums[groups.index(label)] += value
    return tuple(groups), sums


def shortened(names: Sequence[str], values: Doubles, most: int) -> tuple[tuple[str, ...], Doubles]:
    """Sort (P, ...) by size, largest first; if there are more than `most`, add up the rest."""
    sizes = np.abs(values).reshape(len(names), -1).sum(axis=1)
    order = np.argsort(-sizes, kind="stable")
    if len(names) <= most:
        return tuple(names[int(at)] for at in order), values[order]
    first, rest = order[: most - 1], order[most - 1 :]
    left = values[rest].sum(axis=0, keepdims=True)
    largest = [names[int(at)] for at in first]
    return (*largest, REST), np.concatenate([values[first], left])


def products(parts: ScoreParts, most: int) -> Products:
    """Return the products by the largest parts of query and key; the rest is added up."""
    query, values = grouped(parts.query, parts.values)
    key, turned = grouped(parts.key, values.T)
    query, values = shortened(query, turned.T, most)
    key, turned = shortened(key, values.T, most)
    return Products(query, key, turned.T)


def rest_of(table: Products) -> float:
    """Return the sum of the products with a part that has no name of its own in the table."""
    named = np.outer([name != REST for name in table.query], [name != REST for name in table.key])
    return float(table.values[~named].sum())


@dataclass(frozen=True)
class Match:
    """Who wrote what matches most: an `origin` of the query's parts, and one of the key's.

    `value` is the sum of the products of all that the first wrote with all that the second wrote.
    `biases_push_more` tells that the key's biases push further, which are left out.
    """

    query: str
    key: str
    value: float
    biases_push_more: bool = False


def best_match(parts: ScoreParts) -> Match:
    """Find the two origins that push a score furthest in the direction of the whole score.

    Biases are no reason to look at one key: they add nearly the same to every key's score, which
    the softmax cancels. So the key's biases are left out.
    """
    way = 1 if parts.total >= 0 else -1
    query, values = _added([origin(name) for name in parts.query], parts.values)
    key, turned = _added([origin(name) for name in parts.key], values.T)
    pushes = way * turned.T
    furthest = pushes.max()
    own = [name not in (NORMS, PROJECTION) for name in key]
    pushes[:, np.logical_not(own)] = -np.inf
    row, column = np.unravel_index(int(pushes.argmax()), pushes.shape)
    value = float(turned.T[row, column])
    return Match(query[int(row)], key[int(column)], value, bool(furthest > way * value))


def above_mean(score: ScoreParts, all_of_query: Sequence[ScoreParts]) -> ScoreParts:
    """Subtract the mean over all keys from one key's products, so that common parts vanish."""
    mean = np.mean([parts.values for parts in all_of_query], axis=0)
    return ScoreParts(score.query, score.key, score.values - mean)


def terms(parts: Parts, most: int) -> Terms:
    """Return the largest parts of a logit, with the biases of all norms as one, and the rest."""
    return Terms(*shortened(*grouped(parts.names, parts.values), most))


def head_table(parts: Parts, kind: str, layers: int, heads: int) -> Doubles:
    """Return the part of each head (L, H) of "self_attn" or "cross_attn"; 0 for a missing part."""
    table = np.zeros((layers, heads))
    for name, value in zip(parts.names, parts.values, strict=True):
        _stack, *rest = name.split(".")
        if len(rest) == 4 and rest[1:3] == [kind, "z"]:
            table[int(rest[0]), int(rest[3])] = value
    return table
