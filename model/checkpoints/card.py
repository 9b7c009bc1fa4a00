"""The card of a checkpoint: what it learned from, what was measured, what its heads do."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.checkpoints.files import read_json

CARD, HEADS, TRAINING_LOG = "card.json", "heads.json", "training_log.jsonl"
LENGTHS, CAUSES = "lengths.json", "causes.json"


@dataclass(frozen=True)
class Card:
    """The contents of card.json, heads.json (None without) and training_log.jsonl (may be empty).

    Tables are rows by column name, as `python -m model.training.card` measured them; the goals
    that the model was held against, none for most, are those of `model.training.goals`. `start`
    names the checkpoint whose weights the run went on from: None where it began with random ones.
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
    training_log: list[dict[str, Any]]
    goals: list[dict[str, Any]]
    start: dict[str, Any] | None

    def bleu(self, split: str) -> float:
        """Return the BLEU of greedy translation over all sentences of dev or test."""
        return float(self.quality[split]["greedy"][0]["bleu"])


def read_card(folder: Path) -> dict[str, Any]:
    """Read card.json as it stands, measured or not; ValueError when it is no JSON object."""
    return read_json(folder / CARD)


def load_card(folder: Path) -> Card:
    """Read the card of a checkpoint folder; ValueError names the file when a figure is missing."""
    heads, log = folder / HEADS, folder / TRAINING_LOG
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
            training_log=[json.loads(line) for line in lines],
            goals=card.get("goals", []),
            start=card.get("start"),
        )
    except KeyError as error:
        raise ValueError(
            f"{folder / CARD}: {error} is missing; python -m model.training.card measures it"
        ) from error
    except RecursionError:
        raise ValueError(f"{log}: nested too deep") from None
