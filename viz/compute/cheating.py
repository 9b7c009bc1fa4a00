"""The model trained without the look-ahead mask, beside the model in force."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.card import CHEATING
from model.checkpoints.files import read_json
from model.interventions.masks import LiftMask
from model.recording.recording import Recording
from viz.compute import models, runs
from viz.compute.effects import likelihoods
from viz.compute.models import kept


@dataclass(frozen=True, eq=False)
class Learned:
    """The results of a run: its losses in nats a piece, by steps, and figures at its end.

    `sees_ahead` and `sees_before` are the losses on dev sentences when the decoder sees the whole
    translation, and when it sees only the earlier pieces. `bleu` scores its own translations.
    """

    steps: tuple[int, ...]
    loss: tuple[float, ...]
    dev_steps: tuple[int, ...]
    dev_loss: tuple[float, ...]
    sees_ahead: float
    sees_before: float
    bleu: float


@dataclass(frozen=True, eq=False)
class Measured:
    """The run without the mask and its twin with the mask, on a number of dev `pairs`.

    `ahead` is the mean weight of each decoder head (L, H) on the piece that its row must predict.
    """

    cheat: Learned
    twin: Learned
    pairs: int
    ahead: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Seen:
    """A whole translation, given to the decoder that cheats: the recording, and each piece.

    `likely` (T,) are the probabilities of the pieces, the end token last.
    """

    recording: Recording
    likely: NDArray[np.float64]


def name() -> str | None:
    """Return the name of the model that cheats beside the model in force; None if there is none."""
    return models.twin(models.in_force(), "cheat")


def measured(cheat: str) -> Measured:
    """Read the measures of a model that cheats; ValueError names a damaged part."""
    return _read(models.folder_of(cheat) / CHEATING)


@lru_cache(maxsize=4)
def _read(path: Path) -> Measured:
    content = read_json(path)
    try:
        runs_ = (_learned(content[which]) for which in ("cheat", "twin"))
        return Measured(*runs_, pairs=int(content["pairs"]), ahead=np.array(content["ahead"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: {error} is missing or wrong") from error


def _learned(run: dict[str, Any]) -> Learned:
    return Learned(
        steps=tuple(run["steps"]),
        loss=tuple(run["loss"]),
        dev_steps=tuple(run["dev_steps"]),
        dev_loss=tuple(run["dev_loss"]),
        sees_ahead=float(run["sees_ahead"]),
        sees_before=float(run["sees_before"]),
        bleu=float(run["bleu"]),
    )


def written(cheat: str, sentence: str) -> str:
    """Return the translation that a model that cheats writes alone, piece by piece."""
    with models.using(cheat):
        return runs.run(sentence).translation.text


def seen(cheat: str, sentence: str, target: str) -> Seen:
    """Give the model a whole translation, without the mask; ValueError when a text is empty."""
    with models.using(cheat):
        return _seen(sentence, target)


@kept
def _seen(sentence: str, target: str) -> Seen:
    loaded = runs.translator()
    recording = loaded.record(runs.source(sentence), target, (LiftMask("decoder"),))
    ids = (*recording.target_ids[1:], loaded.tokenizer.end_id)
    return Seen(recording, likelihoods(recording, ids))
