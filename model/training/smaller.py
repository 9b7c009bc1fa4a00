"""Measure reduced models: `python -m model.training.smaller DEV.tsv.gz --checkpoints en-fr`.

It tries fewer bits per weight, and fewer weights, on the first pairs of a held-out file. The
figures go into smaller.json beside the weights.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from model.checkpoints.card import SMALLER
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.measures.quality import bleu, chrf
from model.measures.smaller import Method, Smaller, moved, shrunk, size
from model.training.data.pairs import Pair, read_pairs
from model.translator import Translator, load_translator

BITS = (8, 6, 5, 4, 3, 2)
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LOOKED_AT = 20
"""The number of sentences for attention: recording takes far longer than translating."""


def measured(
    translator: Translator,
    pairs: Sequence[Pair],
    report: Callable[[Smaller], object] = print,
) -> tuple[Smaller, ...]:
    """Translate all sources with the whole model and every smaller model; report each row."""
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    rows: list[Smaller] = []
    plans: list[tuple[Method, float]] = [
        ("whole", 0),
        *(("quantised", bits) for bits in BITS),
        *(("pruned", share) for share in SHARES),
    ]
    for method, amount in plans:
        smaller = translator if method == "whole" else shrunk(translator, method, amount)
        translations = [
            smaller.translate(text).text for text in sources
        ]  # one by one: the cache makes it far faster
        far = 0.0 if method == "whole" else moved(translator, smaller, sources[:LOOKED_AT])
        scores = round(bleu(translations, references), 2), round(chrf(translations, references), 2)
        size_taken = size(translator.network, method, amount)
        rows.append(Smaller(method, amount, size_taken, *scores, round(far, 4)))
        report(rows[-1])
    return tuple(rows)


@command
def main() -> None:
    """Measure checkpoints and write smaller.json into their folders."""
    parser = argparse.ArgumentParser(prog="python -m model.training.smaller", description=__doc__)
    parser.add_argument("tsv", type=Path, help="held-out pairs, source TAB target")
    parser.add_argument("--checkpoints", nargs="+", default=["en-fr"], metavar="NAME")
    parser.add_argument("--sentences", type=int, default=200)
    options = parser.parse_args()
    pairs = read_pairs(options.tsv)[: options.sentences]
    torch.set_num_threads(1)
    for name in options.checkpoints:
        translator = load_translator(name)
        rows = measured(translator, pairs, lambda row: print(row, flush=True))
        content: dict[str, Any] = {
            "command": f"python -m model.training.smaller {options.tsv.name} "
            f"--sentences {options.sentences} --checkpoints {translator.folder.name}",
            "sentences": len(pairs),
            "rows": [asdict(row) for row in rows],
        }
        write_whole(translator.folder / SMALLER, (json.dumps(content, indent=1) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
