"""The order of the heads on the board, and the choice of the heads that it shows."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from model.measures.atlas.atlas import Atlas
from model.measures.atlas.roles import ROLES, Role
from model.sites.sites import Head, Kind
from viz.compute import atlas
from viz.compute.atlas import Texts
from viz.figures.labels import Number
from viz.language.text import _, later
from viz.link.choice import choose_between, choose_one
from viz.pages.atlas.roles import NAMES

BY_LAYER, BY_ROLE, BY_SURE, BY_LOSS, BY_SHARP, BY_TAKEN = (
    later("by layer"),
    later("by what they do"),
    later("by how surely they do it"),
    later("by what is lost without them"),
    later("by how sharp they look"),
    later("by how much they take"),
)

ALL_ROLES: tuple[Role, ...] = tuple(NAMES)

Order = Mapping[Head, str]
"""The heads in the board's order, each with its figure; empty if they are ordered by layer."""


def choose_order(atlas_: Atlas, texts: Texts, row: DeltaGenerator) -> tuple[Order, int]:
    """Draw the choice of a measure and of its range.

    Returns the heads within the range, largest first, and how many heads have the measure.
    """
    measured = atlas_.about.loss_pieces > 0
    taken = atlas_.taken(atlas_.kinds[0]) is not None
    ways = [
        *(BY_LAYER, BY_ROLE, BY_SURE, *([BY_LOSS] if measured else []), BY_SHARP),
        *([BY_TAKEN] if taken else []),
    ]
    names = {str(way): _(way) for way in ways}
    for role in ALL_ROLES:
        if any(_arises(atlas_, kind, role) for kind in atlas_.kinds):
            names[role] = _("by their weight on: {role}").format(role=_(NAMES[role]))
    way = choose_one(_("Arrange the heads"), names, "arranged", bare=True, menu=True, row=row)
    if way == BY_LAYER:
        return {}, 0
    if way == BY_ROLE:
        order = _by_role(atlas_, texts)
        return dict.fromkeys(order, ""), len(order)
    values: dict[Kind, NDArray[np.floating]] = {
        kind: _values(atlas_, texts, kind, way) for kind in atlas_.kinds
    }
    heads = {
        Head(kind, int(layer), int(head)): float(own[layer, head])
        for kind, own in values.items()
        for layer, head in np.ndindex(own.shape)
        if not np.isnan(own[layer, head])
    }
    digits = 3 if way == BY_LOSS else 2
    within = choose_between(_("From, to"), list(heads.values()), digits, f"within {way}", row)
    kept = [head for head, inside in zip(heads, within, strict=True) if inside]
    kept.sort(key=lambda head: -heads[head])
    return {head: f"{Number(heads[head]):.{digits}f}" for head in kept}, len(heads)


def _by_role(atlas_: Atlas, texts: Texts) -> list[Head]:
    """List the heads role by role, with the surest head of each role first."""
    keyed: dict[Head, tuple[int, float]] = {}
    for kind in atlas_.kinds:
        best = atlas.best(texts)[kind]
        for layer, head in np.ndindex(best.role.shape):
            number = int(best.role[layer, head])
            role = ALL_ROLES.index(ROLES[kind][number]) if number >= 0 else len(ALL_ROLES)
            place = Head(kind, int(layer), int(head))
            keyed[place] = role, -float(best.sure[layer, head])
    return sorted(keyed, key=lambda head: keyed[head])


def _values(atlas_: Atlas, texts: Texts, kind: Kind, way: str) -> NDArray[np.floating]:
    """Return a measure of the heads of a kind (L, H); NaN where there is no such role or figure."""
    if way == BY_LOSS:
        return atlas_.loss(kind)
    if way == BY_SHARP:
        return atlas_.sharp(kind)
    if way == BY_TAKEN and (taken := atlas_.taken(kind)) is not None:
        return taken
    if way == BY_SURE:
        return atlas.best(texts)[kind].sure
    role: Role = next(known for known in ALL_ROLES if known == way)
    if not _arises(atlas_, kind, role):
        return np.full(atlas_.sharp(kind).shape, np.nan)
    return atlas_.scores(kind)[ROLES[kind].index(role)]


def _arises(atlas_: Atlas, kind: Kind, role: Role) -> bool:
    """Return True if a kind has a role and the corpus has queries for it."""
    return role in ROLES[kind] and bool(atlas_.queries(kind)[ROLES[kind].index(role)])
