"""Measure a model trained without the look-ahead mask, beside its twin trained with it.

`python -m model.training.cheating --checkpoint en-fr-cheat --twin runs/masked/checkpoint ...`
writes cheating.json into the folder of the model that cheats: both curves of the loss, the loss on
held-out pairs with and without the mask, the quality of both models' own translations, and how
strongly each decoder head looks at the piece that its row must predict.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.card import CHEATING
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.interventions.masks import LiftMask
from model.measures.head_roles import Mean, position_sums
from model.training.data.pairs import Pair, read_pairs
from model.training.dev_loss import loss_of
from model.training.evaluate import evaluate
from model.translator import Translator, load_translator


def curves(log: Path) -> dict[str, list[float]]:
    """Read the losses in nats a piece, and their steps, from the log of a run."""
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    learned = [line for line in lines if "loss" in line]
    tested = [line for line in lines if "dev_loss" in line]
    return {
        "steps": [line["step"] for line in learned],
        "loss": [line["loss"] for line in learned],
        "dev_steps": [line["step"] for line in tested],
        "dev_loss": [line["dev_loss"] for line in tested],
    }


def looks_ahead(translator: Translator, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Return the mean weight of each decoder head (L, H) on the piece that its row must predict.

    It is measured without the mask, on the translations of the pairs, given all at once.
    """
    mean = Mean()
    for pair in pairs:
        recording = translator.record(pair.source, pair.target, (LiftMask("decoder"),))
        mean.add(*position_sums(recording.attention("decoder"), 1))
    return mean.value()


def measured(translator: Translator, log: Path, dev: Path) -> dict[str, Any]:
    """Return the curves of a run and the measures of its model, for JSON."""
    pairs = read_pairs(dev)
    alone = evaluate(translator.network, translator.tokenizer, dev)[0]
    return {
        **curves(log),
        "sees_ahead": round(loss_of(translator, pairs, ahead=True), 4),
        "sees_before": round(loss_of(translator, pairs), 4),
        "bleu": alone.bleu,
        "chrf": alone.chrf,
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m model.training.cheating")
    parser.add_argument("--checkpoint", default="en-fr-cheat")
    parser.add_argument("--log", type=Path, required=True, help="log.jsonl of its run")
    parser.add_argument("--twin", required=True, help="the same model, trained with the mask")
    parser.add_argument("--twin-log", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs to measure on")
    parser.add_argument("--sentences", type=int, default=200, help="recorded, of those pairs")
    return parser.parse_args()


@command
def main() -> None:
    """Measure both models, write cheating.json beside the cheating model and print the figures."""
    options = _options()
    cheat, twin = load_translator(options.checkpoint), load_translator(options.twin)
    if not cheat.card["settings"].get("look_ahead"):
        raise ValueError(f"{cheat.folder}: it learned with the look-ahead mask")
    pairs = read_pairs(options.dev)
    report = {
        "pairs": len(pairs),
        "cheat": measured(cheat, options.log, options.dev),
        "twin": measured(twin, options.twin_log, options.dev),
        "recorded": min(options.sentences, len(pairs)),
        "ahead": looks_ahead(cheat, pairs[: options.sentences]).round(4).tolist(),
    }
    write_whole(cheat.folder / CHEATING, (json.dumps(report) + "\n").encode())
    for name in ("cheat", "twin"):
        figures = {key: value for key, value in report[name].items() if isinstance(value, float)}
        print(name, figures)


if __name__ == "__main__":
    sys.exit(main())
