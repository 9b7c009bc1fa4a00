"""The card of a checkpoint: its training data, its measured quality, and the roles of its heads."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.checkpoints.files import read_json

CARD, HEADS, TRAINING_LOG = "card.json", "heads.json", "training_log.jsonl"
LENGTHS, CAUSES, SMALLER = "lengths.json", "causes.json", "smaller.json"
CHEATING, FAMILIAR = "cheating.json", "familiar.json"
POSITIONS, WINDOW = "positions.json", "window.json"


@dataclass(frozen=True)
class Card:
    """The contents of card.json, heads.json, causes.json (None if missing) and training_log.jsonl.

    Tables are rows by column name, as `python -m model.training.card` measured them. `goals` are
    the targets of `model.training.goals` for this model; most models have none. `start` names the
    checkpoint that the run continued from, None for random weights. `mean` lists the checkpoints
    whose mean the weights are, with their shares in each part.
    """

    data: dict[str, str]
    settings: dict[str, Any]
    steps: int
    hours: float
    machine: str
    parameters: int
    quality: dict[str, dict[str, list[dict[str, Any]]]]
    pronouns: dict[str, dict[str, float]]
    samples: list[dict[str, str]]
    weak_spots: list[dict[str, str]]
    heads: dict[str, Any] | None
    causes: dict[str, Any] | None
    training_log: list[dict[str, Any]]
    goals: list[dict[str, Any]]
    start: dict[str, Any] | None
    mean: list[dict[str, Any]]
    measured_loss: float | None = None

    @property
    def steps_before(self) -> int:
        """Return the steps of the weights that the run continued from; 0 for random weights."""
        return int(self.start.get("steps", 0)) if self.start else 0

    @property
    def steps_in_all(self) -> int:
        """Return the number of steps that made the model, including those of earlier runs."""
        return self.steps_before + self.steps

    @property
    def dev_loss(self) -> float | None:
        """Return the loss of the shipped weights on all dev sentences, in nats a piece.

        If the card lacks this figure, it is the last loss in the log, or None if there is no log.
        """
        if self.measured_loss is not None:
            return self.measured_loss
        losses = [line["dev_loss"] for line in self.training_log if "dev_loss" in line]
        return float(losses[-1]) if losses else None

    def bleu(self, split: str) -> float:
        """Return the BLEU of greedy translation over all sentences of dev or test."""
        return float(self.quality[split]["greedy"][0]["bleu"])


def read_card(folder: Path) -> dict[str, Any]:
    """Read card.json, measured or not; ValueError when it is not a JSON object."""
    return read_json(folder / CARD)


def load_card(folder: Path) -> Card:
    """Read the card of a checkpoint folder; ValueError names the file when a number is missing."""
    heads, causes, log = (folder / name for name in (HEADS, CAUSES, TRAINING_LOG))
    try:
        card = read_card(folder)
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return Card(
            data=card["data"],
            settings=card["settings"],
            steps=card["steps"],
            hours=card["hours"],
            machine=card["machine"],
            parameters=card["parameters"],
            quality=card["quality"],
            pronouns=card["pronouns"],
            samples=card["samples"],
            weak_spots=card["weak_spots"],
            heads=read_json(heads) if heads.exists() else None,
            causes=read_json(causes) if causes.exists() else None,
            training_log=[json.loads(line) for line in lines],
            goals=card.get("goals", []),
            start=card.get("start"),
            mean=card.get("mean", []),
            measured_loss=card.get("dev_loss"),
        )
    except KeyError as error:
        raise ValueError(
            f"{folder / CARD}: {error} is missing; python -m model.training.card measures it"
        ) from error
    except RecursionError:
        raise ValueError(f"{log}: nested too deep") from None
