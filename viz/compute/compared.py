"""Models to compare with the heads of the model in force: its earlier state, or other models."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.measures.atlas.measures import Change, Measures, Surest, changes, surest
from model.measures.atlas.roles import ROLES, Role
from model.sites.sites import Kind
from viz.compute import atlas, examples, learning, models, runs
from viz.compute.atlas import Texts

Looks = Mapping[Kind, NDArray[np.floating]]


@dataclass(frozen=True, eq=False)
class Side:
    """A model, its heads' roles, and their weights on a `sentence`: (L, H, Q, K).

    Without a recording there are no `looks`.
    """

    measures: Measures
    sentence: str
    looks: Looks


def before(texts: Texts, sentence: str) -> tuple[Side, Side] | None:
    """Return the model before its further training, and now; None if that was not measured.

    Both use a sentence whose attention was recorded throughout the training: the sentence in the
    box, or else the first recorded sentence.
    """
    index = atlas.atlas(texts)
    if index.before is None:
        return None
    history = learning.history()
    moments = np.flatnonzero(history.steps == index.steps_before) if history else []
    if history is None or not len(moments):
        return Side(index.before, "", {}), Side(index, "", {})
    recorded = [pair.source for pair in history.sentences]
    at = recorded.index(sentence) if sentence in recorded else 0
    weights: dict[Kind, NDArray[np.uint8]] = {
        kind: history.attention(at, kind) for kind in index.kinds
    }

    then, now = (_moment(weights, moment) for moment in (int(moments[0]), -1))
    return Side(index.before, recorded[at], then), Side(index, recorded[at], now)


def _moment(weights: Mapping[Kind, NDArray[np.uint8]], moment: int) -> Looks:
    return {kind: of_kind[moment] / np.float32(255) for kind, of_kind in weights.items()}


def now(texts: Texts, sentence: str, looks: Looks) -> Side:
    """Return the model in force with the sentence in the box."""
    return Side(atlas.atlas(texts), sentence, looks)


def other(name: str, texts: Texts) -> Side | None:
    """Return another model with its own sentence; None if its heads were not measured."""
    with models.using(name):
        index = atlas.find(texts)
        if index is None:
            return None
        sentence = examples.current().texts[0]
        recording = runs.run(sentence).recording
        looks: Looks = {kind: recording.attention(kind) for kind in index.kinds}
        return Side(index, sentence, looks)


def others(measured: Mapping[str, Texts]) -> list[str]:
    """Return the other models whose heads are known, from an index or `measured` here."""
    in_force = models.in_force()
    return [
        name
        for name in models.folders()
        if name != in_force
        and not models.is_recurrent(name)
        and (name in measured or atlas.has_index(name))
    ]


def same_sizes(then: Side, now: Side) -> bool:
    """Return True if both models have the same layers and heads."""
    return all(
        then.measures.sharp(kind).shape == now.measures.sharp(kind).shape
        for kind in now.measures.kinds
        if kind in then.measures.kinds
    )


def changed(then: Side, now: Side, role: Role | None) -> list[Change]:
    """List all heads by the size of their change; see `model.measures.atlas.measures.changes`."""
    return changes(then.measures, now.measures, role)


@dataclass(frozen=True)
class RoleRow:
    """A role of a kind of attention, and its surest heads on both sides."""

    kind: Kind
    role: Role
    then: Surest | None
    now: Surest | None


def roles(then: Side, now: Side) -> list[RoleRow]:
    """List the roles that arose on either side."""
    rows = [
        RoleRow(kind, role, *(_surest(side.measures, kind, role) for side in (then, now)))
        for kind in now.measures.kinds
        for role in ROLES[kind]
    ]
    return [row for row in rows if row.then or row.now]


def _surest(measures: Measures, kind: Kind, role: Role) -> Surest | None:
    return surest(measures, kind, role) if kind in measures.kinds else None
