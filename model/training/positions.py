"""Measure models with different position encodings, up to and beyond the training length.

`python -m model.training.positions --dev DEV.tsv.gz --checkpoints en-fr-sinusoid ...` writes
positions.json into the folder of each model: the loss and BLEU by the length of a text (short
held-out pairs, joined until they are long enough), and the share of copied letters.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from model.checkpoints.card import POSITIONS
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.tokenizer import Tokenizer
from model.training.data.pairs import Pair, read_pairs
from model.training.dev_loss import loss_of
from model.training.evaluate import score_one, translate_all
from model.training.generated.copies import LONGEST, copy_row
from model.translator import Translator, load_translator

BANDS = ((1, 8), (9, 16), (17, 24), (25, 32), (33, 48), (49, 64), (65, 96))
"""The bands of the longer side of a text, in pieces."""

SHORT = 10
"""The most pieces on a side of the pairs that are joined into texts."""

ROWS = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 35, 40)
"""The numbers of letters in copied rows."""


def texts_of(
    pairs: Sequence[Pair], tokenizer: Tokenizer, low: int, high: int, count: int, seed: int = 0
) -> list[Pair]:
    """Join short pairs, drawn at random, into `count` texts of `low` to `high` pieces.

    The longer side of a text counts. Raises ValueError when no pair is short enough.
    """
    sizes = {pair: _size(pair, tokenizer) for pair in pairs}
    short = [pair for pair, size in sizes.items() if size <= min(SHORT, high)]
    if not short:
        raise ValueError(f"no pair has at most {min(SHORT, high)} pieces a side")
    rng, texts = Random(seed), list[Pair]()
    while len(texts) < count:
        length, joined = rng.randint(low, high), list[Pair]()
        while sum(map(sizes.__getitem__, joined)) < length:
            joined.append(rng.choice(short))
        text = Pair(" ".join(p.source for p in joined), " ".join(p.target for p in joined))
        if low <= _size(text, tokenizer) <= high:
            texts.append(text)
    return texts


def _size(pair: Pair, tokenizer: Tokenizer) -> int:
    return max(map(len, tokenizer.encode_all([pair.source, pair.target])))


def by_length(translator: Translator, pairs: Sequence[Pair], count: int) -> list[dict[str, Any]]:
    """Measure the loss and BLEU on texts of each band of `BANDS`."""
    rows: list[dict[str, Any]] = []
    for low, high in BANDS:
        texts = texts_of(pairs, translator.tokenizer, low, high, count)
        written = translate_all(
            translator.network, translator.tokenizer, [text.source for text in texts]
        )
        scored = score_one(f"{low}-{high}", written, [text.target for text in texts])
        rows.append(
            {
                "from": low,
                "to": high,
                "texts": len(texts),
                "loss": round(loss_of(translator, texts), 4),
                "bleu": scored.bleu,
            }
        )
    return rows


def copied(row: str, written: str) -> float:
    """Return the share of a row's letters that are written in their place."""
    letters, copies = row.split(), written.split()
    return sum(letter == copy for letter, copy in zip(letters, copies, strict=False)) / len(letters)


def by_letters(translator: Translator, count: int, seed: int = 7) -> list[dict[str, Any]]:
    """Measure how well rows of letters are copied: letters in place, and whole rows."""
    rng, rows = Random(seed), list[dict[str, Any]]()
    for letters in ROWS:
        sources = [copy_row(letters, rng).source for _ in range(count)]
        written = translate_all(translator.network, translator.tokenizer, sources)
        shares = [copied(*pair) for pair in zip(sources, written, strict=True)]
        whole = sum(row == text for row, text in zip(sources, written, strict=True))
        rows.append(
            {
                "letters": letters,
                "rows": count,
                "right": round(sum(shares) / count, 4),
                "whole": round(whole / count, 4),
            }
        )
    return rows


@command
def main() -> None:
    """Measure the checkpoints and write positions.json into their folders."""
    parser = argparse.ArgumentParser(prog="python -m model.training.positions", description=__doc__)
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs to measure on")
    parser.add_argument("--checkpoints", nargs="+", required=True, metavar="NAME")
    parser.add_argument("--texts", type=int, default=200, help="texts of each length")
    options = parser.parse_args()
    pairs = read_pairs(options.dev)
    for name in options.checkpoints:
        translator = load_translator(name)
        report = {
            "longest_pair": translator.card["settings"]["longest_pair"],
            "longest_row": LONGEST,
            "lengths": by_length(translator, pairs, options.texts),
            "copies": by_letters(translator, options.texts),
        }
        write_whole(translator.folder / POSITIONS, (json.dumps(report) + "\n").encode())
        print(name, json.dumps(report, indent=1), flush=True)


if __name__ == "__main__":
    sys.exit(main())
