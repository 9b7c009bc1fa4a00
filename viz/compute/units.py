"""Measurements of the model's feed-forward units on many sentences."""

from dataclasses import dataclass

from model.measures.units import Units, load_units
from model.sites.sites import Stack
from viz.compute import runs
from viz.compute.models import kept


@dataclass(frozen=True)
class Driver:
    """A token that drives a unit: its sentence's pieces, its place among them, its activation."""

    tokens: tuple[str, ...]
    place: int
    value: float


@dataclass(frozen=True)
class Measured:
    """Measurements of one unit: number of sentences, share of tokens at which it fires, drivers."""

    sentences: int
    fires: float
    drivers: tuple[Driver, ...]


@dataclass(frozen=True)
class _Found:
    units: Units | None


@kept
def _units() -> _Found:
    """Read the file of the model in force; None when it is missing or of other weights."""
    loaded = runs.translator()
    try:
        units = load_units(loaded.folder)
    except ValueError:
        return _Found(None)
    return _Found(units if units.sha256 == loaded.card.get("sha256", "") else None)


def measured(stack: Stack, layer: int, unit: int) -> Measured | None:
    """Return the measurements of a unit; None if these weights were not measured."""
    units = _units().units
    if units is None:
        return None
    side = units.sides[stack]
    drivers: list[Driver] = []
    for place, value in zip(side.places[layer, unit], side.values[layer, unit], strict=True):
        if value > 0:
            ids, at = side.sentence(int(place))
            drivers.append(Driver(tuple(runs.token_names(ids)), at, float(value)))
    return Measured(units.sentences, float(side.fires[layer, unit]), tuple(drivers))
