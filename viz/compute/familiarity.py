"""A test for sentences far from the training data, by the measured limits of the model."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from model.checkpoints.card import FAMILIAR
from model.checkpoints.files import read_json
from model.measures.familiarity import SIGNS, Sign, signs
from viz.compute import runs
from viz.compute.models import kept


@dataclass(frozen=True)
class Limits:
    """The limits of a model by sign, and chrF of dev translations within all and beyond each.

    A translated word less probable than `word` is unsure; 0 means not measured.
    """

    limits: dict[Sign, float]
    ordinary: float
    beyond: dict[Sign, float]
    word: float


@dataclass(frozen=True)
class Far:
    """A sign that a sentence is unfamiliar, with chrF of sentences within and beyond its limit.

    chrF is measured on dev sentences, from 0 to 100.
    """

    sign: Sign
    ordinary: float
    beyond: float


@kept
def far(sentence: str) -> tuple[Far, ...]:
    """Return the signs that a sentence is unfamiliar to the unchanged model; () without limits.

    Raises ValueError when there is nothing to translate.
    """
    limits = _limits(runs.translator().folder)
    if limits is None:
        return ()
    run = runs.run(sentence)
    translation = run.translation
    measured = signs(run.source.tokens, translation.log_prob, len(translation.tokens) + 1)
    return tuple(
        Far(sign, limits.ordinary, limits.beyond[sign])
        for sign in SIGNS
        if measured[sign] > limits.limits[sign]
    )


def word_limit() -> float:
    """Return the probability below which a word of the model in force is unsure; 0 if unknown."""
    limits = _limits(runs.translator().folder)
    return limits.word if limits else 0.0


def sign_limits() -> dict[Sign, float] | None:
    """Return the limits of the model in force by sign; None if not measured."""
    limits = _limits(runs.translator().folder)
    return limits.limits if limits else None


def quality() -> float:
    """Return chrF of the model in force on ordinary dev sentences, 0 to 100; 100 if unknown."""
    known = _limits(runs.translator().folder)
    return known.ordinary if known else 100.0


def _limits(folder: Path) -> Limits | None:
    path = folder / FAMILIAR
    return _read(path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int) -> Limits | None:
    """Read the limits; a damaged file counts as missing."""
    try:
        content = read_json(path)
        return Limits(
            {sign: float(content["limits"][sign]) for sign in SIGNS},
            float(content["ordinary"]["chrf"]),
            {sign: float(content["beyond"][sign]["chrf"]) for sign in SIGNS},
            float(content.get("word", {}).get("limit", 0)),
        )
    except (KeyError, TypeError, ValueError):
        return None
