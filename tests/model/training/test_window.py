"""What local attention saves and misses, counted against a loop over steps and pieces."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from model import load_translator
from model.checkpoints.card import WINDOW
from model.checkpoints.checkpoint import CHECKPOINTS
from model.training import window
from model.training.data.pairs import Pair
from model.training.window import window_report

PAIRS = [
    Pair("The cat sleeps.", "Le chat dort."),
    Pair(
        "Yesterday my old teacher told us a very long story about his brother.",
        "Hier, mon vieux professeur nous a raconté une très longue histoire sur son frère.",
    ),
]


def test_every_step_is_counted_as_the_arrays_say() -> None:
    local, other = load_translator("en-fr-local-p"), load_translator("en-fr-general")
    found = window_report(local, other, PAIRS)[0]
    counts: dict[str, int] = dict.fromkeys(("steps", "scores", "inside", "asked", "missed"), 0)
    for pair in PAIRS:
        one, two = (each.record(pair.source, pair.target) for each in (local, other))
        centres, weights = one["decoder.0.cross_attn.position"], two.attention("cross")[0, 0]
        for centre, row in zip(centres, weights, strict=True):
            near = [abs(j - centre) <= 4 for j in range(len(row))]
            best = int(np.argmax(row))
            counts["steps"] += 1
            counts["scores"] += len(row)
            counts["inside"] += sum(near)
            counts["asked"] += best < len(row) - 1
            counts["missed"] += best < len(row) - 1 and not near[best]
    assert {name: found[name] for name in counts} == counts
    assert found["pairs"] == 2
    assert counts["inside"] < counts["scores"]


def test_bands_add_up_and_only_a_model_with_a_window_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = json.loads((CHECKPOINTS / "en-fr-local-p" / WINDOW).read_text(encoding="utf-8"))["rows"]
    for name in ("pairs", "steps", "scores", "inside", "asked", "missed"):
        assert rows[0][name] == sum(row[name] for row in rows[1:])
    dev = tmp_path / "dev.tsv"
    dev.write_text("The cat sleeps.\tLe chat dort.\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["window", "--dev", str(dev), "--local", "en-fr-dot"])
    assert window.main() == 1
