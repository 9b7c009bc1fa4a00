"""The measures of all heads of a model over a corpus, and the changes between two models."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.measures.atlas.roles import ROLES, Role
from model.sites.sites import KINDS, Head, Kind

SURE = 0.3
"""The smallest sureness at which a head counts as having a role."""

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Best:
    """The surest role of each head (L, H): `role` in ROLES of its kind, -1 for none.

    `nearest` is the same without a threshold; `sure` goes from 0 (chance) to 1 (always).
    """

    role: NDArray[np.int64]
    nearest: NDArray[np.int64]
    sure: NDArray[np.float64]


class Measures:
    """The weights on the keys of each role; its arrays have a `prefix` in the index."""

    def __init__(self, arrays: Arrays, prefix: str = "") -> None:
        """Keep the arrays; they are read when they are needed."""
        self._arrays, self._prefix = arrays, prefix

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds of attention that were measured."""
        return tuple(kind for kind in KINDS if f"{self._prefix}scores.{kind}" in self._arrays)

    def scores(self, kind: Kind) -> NDArray[np.float32]:
        """Return the mean weight on the keys of each role, (R, L, H), over all its queries.

        NaN for a role that never arose.
        """
        return self._arrays[f"{self._prefix}scores.{kind}"]

    def chance(self, kind: Kind) -> NDArray[np.float32]:
        """Return the weight that a role's keys would get by chance, (R, L, H)."""
        return self._arrays[f"{self._prefix}chance.{kind}"]

    def sharp(self, kind: Kind) -> NDArray[np.float32]:
        """Return the mean of each query's largest weight, (L, H)."""
        return self._arrays[f"{self._prefix}sharp.{kind}"]

    def sureness(self, kind: Kind) -> NDArray[np.float64]:
        """Return the sureness of each role in each head, (R, L, H): 0 is chance, 1 always.

        That is (score - chance) / (1 - chance), at least 0; 0 for a role that never arose.
        """
        chance = self.chance(kind).astype(np.float64)
        above = (self.scores(kind) - chance) / np.maximum(1 - chance, 1e-9)
        return np.nan_to_num(above.clip(0, 1))

    def best(self, kind: Kind) -> Best:
        """Return the surest role of each head."""
        sure = self.sureness(kind)
        nearest = sure.argmax(0)
        most = sure.max(0)
        return Best(np.where(most >= SURE, nearest, -1), nearest, most)


@dataclass(frozen=True)
class Change:
    """A head, the role whose share of weight changed most, and that share before and now."""

    head: Head
    role: Role
    before: float
    now: float

    @property
    def moved(self) -> float:
        """Return the change of the share."""
        return abs(self.now - self.before)


def changes(before: Measures, now: Measures, role: Role | None = None) -> list[Change]:
    """List all heads by the size of their change, largest first.

    The change is in the mean weight on the keys of `role`, or else of the role that changed most
    in each head. Raises ValueError when the two models have different layers or heads.
    """
    all_changes: list[Change] = []
    for kind in now.kinds:
        if kind not in before.kinds:
            continue
        scores = [of_model.scores(kind).astype(np.float64) for of_model in (before, now)]
        if scores[0].shape != scores[1].shape:
            raise ValueError(f"{scores[0].shape[1:]} and {scores[1].shape[1:]} heads of {kind}")
        some = [n for n, name in enumerate(ROLES[kind]) if role in (None, name)]
        moved = np.nan_to_num(np.abs(scores[1] - scores[0])[some], nan=-1.0)  # R L H
        if not some or moved.max(initial=-1.0) < 0:
            continue
        for layer, head in np.ndindex(moved.shape[1:]):
            at = some[int(moved[:, layer, head].argmax())]
            then, later = (float(of_model[at, layer, head]) for of_model in scores)
            changed_head = Head(kind, int(layer), int(head))
            all_changes.append(Change(changed_head, ROLES[kind][at], then, later))
    return sorted(all_changes, key=lambda change: -change.moved)


@dataclass(frozen=True)
class Surest:
    """The number of heads of a kind with a role, and the surest of them with its score."""

    heads: int
    head: Head
    score: float


def surest(measures: Measures, kind: Kind, role: Role) -> Surest | None:
    """Return the surest head for a role of a kind; None for a role that never arose."""
    at = ROLES[kind].index(role)
    scores, sure = measures.scores(kind)[at], measures.sureness(kind)[at]
    if np.isnan(scores).all():
        return None
    layer, head = divmod(int(sure.argmax()), sure.shape[1])
    count = int((measures.best(kind).role == at).sum())
    return Surest(count, Head(kind, layer, head), float(scores[layer, head]))
