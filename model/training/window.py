"""Measure local attention: `python -m model.training.window --dev DEV.tsv.gz`.

How much does a window around a predicted position save, and how often does it miss? The model with
local attention and its twin that looks everywhere (same score function, same data) read the same
sentences with human translations. A window misses at a step when the twin's strongest piece lies
outside the window. Steps at which the twin looks most at the end token, where heads rest, are left
out. The figures go into window.json of the local model's folder.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoints.card import WINDOW
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.recording.recording import Recording
from model.training.data.pairs import Pair, read_pairs
from model.translator import Translator, load_translator

BANDS = ((1, 6), (7, 10), (11, 15), (16, 25), (26, 10**6))
"""The bands of source pieces that are measured together."""

_ATTENTION = "decoder.0.cross_attn"


def window_row(local: Recording, everywhere: Recording) -> dict[str, int]:
    """Count the steps of a pair: scores with and without the window, and the misses."""
    near = local[f"{_ATTENTION}.gaussian"][0] > 0  # T S
    looked = everywhere.attention("cross")[0, 0].argmax(axis=1)  # T
    steps, length = near.shape
    asked = looked < length - 1  # T
    return {
        "steps": steps,
        "scores": steps * length,
        "inside": int(near.sum()),
        "asked": int(asked.sum()),
        "missed": int((asked & ~near[np.arange(steps), looked]).sum()),
    }


def window_report(
    local: Translator, everywhere: Translator, pairs: Sequence[Pair]
) -> list[dict[str, Any]]:
    """Add up the rows of all pairs: first the total, then by the number of source pieces."""
    counted: tuple[str, ...] = ("pairs", "steps", "scores", "inside", "asked", "missed")
    bands: tuple[tuple[int, int], ...] = ((1, 10**6), *BANDS)
    sums: dict[tuple[int, int], dict[str, int]] = {
        band: dict.fromkeys(counted, 0) for band in bands
    }
    for pair in pairs:
        recordings = (
            translator.record(pair.source, pair.target) for translator in (local, everywhere)
        )
        row = window_row(*recordings)
        length = row["scores"] // row["steps"]
        for (low, high), total in sums.items():
            if low <= length <= high:
                total["pairs"] += 1
                for name, value in row.items():
                    total[name] += value
    return [
        {"from": low, "to": high if high < 10**6 else None, **total}
        for (low, high), total in sums.items()
        if total["pairs"]
    ]


@command
def main() -> None:
    """Measure and write window.json beside the local model."""
    parser = argparse.ArgumentParser(prog="python -m model.training.window", description=__doc__)
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs to measure on")
    parser.add_argument("--local", default="en-fr-local-p")
    parser.add_argument("--everywhere", default="en-fr-general", help="its twin without a window")
    parser.add_argument("--pairs", type=int, default=1000, help="the first so many")
    options = parser.parse_args()
    local, everywhere = load_translator(options.local), load_translator(options.everywhere)
    if local.network.config.kind != "local-p":
        raise ValueError(f"{local.folder}: it has no window")
    rows = window_report(local, everywhere, read_pairs(options.dev)[: options.pairs])
    report = {"everywhere": everywhere.folder.name, "rows": rows}
    write_whole(local.folder / WINDOW, (json.dumps(report) + "\n").encode())
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    sys.exit(main())
