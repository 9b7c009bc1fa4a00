"""Measure translation by the length of the source: `python -m model.training.lengths TEST.tsv.gz`.

This is the curve of figure 2 of Bahdanau et al. (2015): with one fixed vector, long sentences lose
quality. Held-out sentences of this corpus are short, so several of them in a row are measured
too; training had rows of two.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoints.card import LENGTHS
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.training.data.pairs import Pair, read_pairs
from model.training.evaluate import score_one
from model.translator import Translator, load_translator

GROUPS = ((1, 3), (4, 5), (6, 7), (8, 9), (10, 12), (13, 20))
"""Numbers of source words that are measured together."""


def by_length(pairs: Sequence[Pair], texts: int, seed: int = 0) -> dict[str, list[Pair]]:
    """Draw up to `texts` pairs for each of `GROUPS`, by the number of source words."""
    shuffled = [pairs[index] for index in np.random.default_rng(seed).permutation(len(pairs))]
    return {
        f"{low}-{high}": [p for p in shuffled if low <= len(p.source.split()) <= high][:texts]
        for low, high in GROUPS
    }


def in_a_row(pairs: Sequence[Pair], count: int, texts: int, seed: int = 0) -> list[Pair]:
    """Make `texts` texts, each of `count` random pairs; no pair is drawn twice.

    Raises ValueError when there are too few pairs.
    """
    if count * texts > len(pairs):
        raise ValueError(f"{texts} texts of {count} sentences need more than {len(pairs)} pairs")
    drawn = np.random.default_rng(seed).permutation(len(pairs))[: count * texts]
    rows = [[pairs[index] for index in row] for row in drawn.reshape(texts, count)]
    return [Pair(" ".join(p.source for p in row), " ".join(p.target for p in row)) for row in rows]


def measure(translator: Translator, groups: dict[str, list[Pair]]) -> list[dict[str, Any]]:
    """Score greedy translations of every group: BLEU, chrF and the mean words of a source."""
    rows: list[dict[str, Any]] = []
    for name, pairs in groups.items():
        if not pairs:
            continue
        translations = [translator.translate(pair.source).text for pair in pairs]
        words = float(np.mean([len(pair.source.split()) for pair in pairs]))
        scored = score_one(name, translations, [pair.target for pair in pairs])
        rows.append({**scored.to_dict(), "mean_words": round(words, 1)})
    return rows


@command
def main() -> None:
    """Measure the checkpoints and write lengths.json into their folders."""
    parser = argparse.ArgumentParser(prog="python -m model.training.lengths", description=__doc__)
    parser.add_argument("tsv", type=Path, help="held-out pairs, source TAB target")
    parser.add_argument("--checkpoints", nargs="+", default=["en-fr"], metavar="NAME")
    parser.add_argument("--texts", type=int, default=200, help="texts of each number of sentences")
    options = parser.parse_args()
    pairs = read_pairs(options.tsv)
    grouped = by_length(pairs, options.texts)
    joined = {str(n): in_a_row(pairs, n, options.texts) for n in range(1, 6)}
    for name in options.checkpoints:
        translator = load_translator(name)
        measured = {
            "command": f"python -m model.training.lengths {options.tsv.name} "
            f"--texts {options.texts} --checkpoints {translator.folder.name}",
            "sentences": measure(translator, grouped),
            "in_a_row": measure(translator, joined),
        }
        content = json.dumps(measured, indent=1) + "\n"
        write_whole(translator.folder / LENGTHS, content.encode())
        print(name, content, flush=True)


if __name__ == "__main__":
    sys.exit(main())
