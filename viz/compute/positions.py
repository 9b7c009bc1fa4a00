"""The twins of a model that differ only in their positions."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.card import POSITIONS as FILE
from model.checkpoints.files import read_json
from model.families import transformer
from model.recording.recording import Recording
from model.transformer.config import Positions
from viz.compute import models, runs, translators

RECURRENT = "copies"
"""The end of the name of the recurrent model that learned from such pairs and rows, too."""

KINDS: tuple[Positions, ...] = ("sinusoid", "learned", "rotary")
"""The positions whose twins learned from the same pairs and rows in as many steps."""


@dataclass(frozen=True)
class Length:
    """A twin's results on texts of `low` to `high` pieces: loss in nats a piece, and BLEU."""

    low: int
    high: int
    loss: float
    bleu: float


@dataclass(frozen=True)
class Copied:
    """Results on rows of `letters` letters: the shares of letters in place and of whole rows."""

    letters: int
    right: float
    whole: float


@dataclass(frozen=True)
class Measured:
    """A twin measured on texts and rows; `longest_pair` and `longest_row` limited its training."""

    longest_pair: int
    longest_row: int
    lengths: tuple[Length, ...]
    copies: tuple[Copied, ...]
    texts: int


def twins() -> dict[Positions, str]:
    """Return the names of the twins of the model in force; empty unless all are available."""
    by_positions: dict[Positions, str] = {}
    for kind in KINDS:
        if name := models.twin(models.in_force(), kind):
            by_positions[kind] = name
    return by_positions if len(by_positions) == len(KINDS) else {}


def recurrent() -> str | None:
    """Return the name of the recurrent model beside the twins, which needs no positions."""
    return models.twin(models.in_force(), RECURRENT)


def measured(name: str) -> Measured:
    """Read the measures of a twin; ValueError names a damaged part."""
    return _read(models.folder_of(name) / FILE)


@lru_cache(maxsize=8)
def _read(path: Path) -> Measured:
    content = read_json(path)
    try:
        lengths = tuple(
            Length(int(row["from"]), int(row["to"]), float(row["loss"]), float(row["bleu"]))
            for row in content["lengths"]
        )
        copies = tuple(
            Copied(int(row["letters"]), float(row["right"]), float(row["whole"]))
            for row in content["copies"]
        )
        texts = min(int(row["texts"]) for row in content["lengths"])
        return Measured(
            int(content["longest_pair"]), int(content["longest_row"]), lengths, copies, texts
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error} is missing or wrong") from error


def table(name: str) -> NDArray[np.float64]:
    """Return the vectors that a twin adds at each position, (P, D)."""
    return transformer(translators.loaded(name).network).positions.detach().double().numpy()


def recorded(name: str, sentence: str) -> Recording:
    """Record a sentence in a twin; ValueError when it is empty or too long."""
    with models.using(name):
        return runs.run(sentence).recording
