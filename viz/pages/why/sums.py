"""Sums of many parts, made readable: biases together, the largest first, the rest added up."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.recording.parts import Parts, ScoreParts
from viz.pages.why.words import NORMS, PROJECTION, REST

Doubles = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Terms:
    """Numbers (P,) that add up to a whole, with their names."""

    names: tuple[str, ...]
    values: Doubles


@dataclass(frozen=True, eq=False)
class Products:
    """Numbers (Pq, Pk) that add up to a score: the query's parts by the key's, with their names."""

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
    groups = list(dict.fromkeys(merged(name) for name in names))
    sums = np.zeros((len(groups), *values.shape[1:]))
    for name, value in zip(names, values, strict=True):
        sums[groups.index(merged(name))] += value
    return tuple(groups), sums


def shortened(names: Sequence[str], values: Doubles, most: int) -> tuple[tuple[str, ...], Doubles]:
    """Sort (P, ...) by size, largest first; if there are more than `most`, add up the rest."""
    sizes = np.abs(values).reshape(len(names), -1).sum(axis=1)
    order = np.argsort(-sizes, kind="stable")
    if len(names) <= most:
        return tuple(names[int(at)] for at in order), values[order]
    first, rest = order[: most - 1], order[most - 1 :]
    left = values[rest].sum(axis=0, keepdims=True)
    kept = [names[int(at)] for at in first]
    return (*kept, REST), np.concatenate([values[first], left])


def products(parts: ScoreParts, most: int) -> Products:
    """Return the products by the largest parts of query and key; the rest is added up."""
    query, values = grouped(parts.query, parts.values)
    key, turned = grouped(parts.key, values.T)
    query, values = shortened(query, turned.T, most)
    key, turned = shortened(key, values.T, most)
    return Products(query, key, turned.T)


@dataclass(frozen=True)
class Largest:
    """What gives most of a score: the names of a query's and a key's part, and their products.

    `query_sum` and `key_sum` are the products of each with every part of the other side.
    `embedding` is the sum of the products of which one side, or both, is an embedding.
    """

    query: str
    query_sum: float
    key: str
    key_sum: float
    embedding: float


def largest(parts: ScoreParts) -> Largest:
    """Find the parts that push furthest the way in which the whole score goes."""
    way = 1 if parts.total >= 0 else -1
    found: list[tuple[str, float]] = []
    for names, values in ((parts.query, parts.values), (parts.key, parts.values.T)):
        groups, sums = grouped(names, values)
        each = sums.sum(axis=1)
        best = int((way * each).argmax())
        found.append((groups[best], float(each[best])))
    ours, theirs = (
        np.array([name.endswith(".embedding") for name in names])
        for names in (parts.query, parts.key)
    )
    embedding = float(parts.values[ours[:, None] | theirs].sum())
    return Largest(*found[0], *found[1], embedding)


def above_mean(one: ScoreParts, all_of_query: Sequence[ScoreParts]) -> ScoreParts:
    """Subtract the mean over all keys from one key's products, so that parts in common vanish."""
    mean = np.mean([parts.values for parts in all_of_query], axis=0)
    return ScoreParts(one.query, one.key, one.values - mean)


def terms(parts: Parts, most: int) -> Terms:
    """Return the largest parts of a logit, with the biases of all norms as one, and the rest."""
    return Terms(*shortened(*grouped(parts.names, parts.values), most))


def head_table(parts: Parts, kind: str, layers: int, heads: int) -> Doubles:
    """Return the part of each head (L, H) of "self_attn" or "cross_attn"; 0 if it is left out."""
    found = np.zeros((layers, heads))
    for name, value in zip(parts.names, parts.values, strict=True):
        _stack, *rest = name.split(".")
        if len(rest) == 4 and rest[1:3] == [kind, "z"]:
            found[int(rest[0]), int(rest[3])] = value
    return found
