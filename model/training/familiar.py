"""Measure the limits of familiar sentences: `python -m model.training.familiar`.

A sentence is unfamiliar when it is longer than nearly all dev sentences, or has rarer words or a
less probable translation. A word of a translation is unsure when it is less probable than a limit;
the limit is chosen so that as many dev translations have an unsure word as fail. The limits, and
the quality of dev translations on both sides of each limit, go into familiar.json in the
checkpoint's folder.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.checkpoints.card import FAMILIAR
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.decoding.together import greedy_together
from model.measures.familiarity import SIGNS, Sign, signs, written_words
from model.measures.likelihood import log_probs_of
from model.training.data.pairs import Pair, read_pairs
from model.training.evaluate import score_one
from model.translator import Translator, load_translator

SHARE = 0.01
"""The share of the dev sentences beyond each limit."""

FAILS = 40.0
"""A translation fails when its chrF is lower, from 0 to 100."""


def measure(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Find the limits on sentence pairs, and the chrF (0 to 100) on both sides of each limit.

    Raises ValueError when there are too few pairs for anything to lie beyond a limit.
    """
    if len(pairs) < 1 / SHARE:
        raise ValueError(f"at least {round(1 / SHARE)} pairs are needed, not {len(pairs)}")
    sources = [translator.source(pair.source) for pair in pairs]
    rows = [source.ids for source in sources]
    written = greedy_together(translator.network, rows, [2 * len(row) + 10 for row in rows])
    measured = [
        signs(source.tokens, log_prob, len(ids) + 1)
        for source, (ids, log_prob) in zip(sources, written, strict=True)
    ]
    limits: dict[Sign, float] = {
        sign: float(np.quantile([values[sign] for values in measured], 1 - SHARE)) for sign in SIGNS
    }
    least = [
        _least(translator, row, ids) for row, (ids, _log_prob) in zip(rows, written, strict=True)
    ]
    translations = [translator.target_tokenizer.decode(ids) for ids, _log_prob in written]
    failed = np.mean(
        [
            score_one("one", [translation], [pair.target]).chrf < FAILS
            for translation, pair in zip(translations, pairs, strict=True)
        ]
    )
    limit = float(np.quantile(least, failed))
    beyond = {sign: [values[sign] > limits[sign] for values in measured] for sign in SIGNS}
    ordinary = [not any(beyond[sign][at] for sign in SIGNS) for at in range(len(pairs))]
    return {
        "sentences": len(pairs),
        "limits": {sign: round(limit, 3) for sign, limit in limits.items()},
        "ordinary": _chrf(translations, pairs, ordinary),
        "beyond": {sign: _chrf(translations, pairs, far) for sign, far in beyond.items()},
        "word": {
            "limit": round(limit, 4),
            "failed": round(float(failed), 3),
            **_chrf(translations, pairs, [probability < limit for probability in least]),
        },
    }


@torch.no_grad()
def _least(translator: Translator, source: Sequence[int], ids: Sequence[int]) -> float:
    """Return the lowest probability of a word in a translation; 1 if it has no word."""
    begin = translator.tokenizer.begin_id
    logits = translator.network(torch.tensor([list(source)]), torch.tensor([[begin, *ids]]))[0]
    log_probs = log_probs_of(ids, logits[: len(ids)]).tolist()
    words = written_words(translator.target_tokenizer.tokens(list(ids)), log_probs)
    return min((word.likely for word in words), default=1.0)


def _chrf(
    translations: Sequence[str], pairs: Sequence[Pair], chosen: Sequence[bool]
) -> dict[str, float]:
    """Score the chosen translations together; the score is left out if there are none."""
    indices = [at for at, is_chosen in enumerate(chosen) if is_chosen]
    if not indices:
        return {"sentences": 0}
    scored = score_one(
        "all", [translations[at] for at in indices], [pairs[at].target for at in indices]
    )
    return {"sentences": len(indices), "chrf": round(scored.chrf, 1)}


@command
def main() -> None:
    """Measure a checkpoint, write familiar.json beside it and print its content."""
    parser = argparse.ArgumentParser(prog="python -m model.training.familiar")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs to measure on")
    parser.add_argument("--checkpoint", default="en-fr")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    content = json.dumps(measure(translator, read_pairs(options.dev)), indent=1)
    write_whole(translator.folder / FAMILIAR, (content + "\n").encode())
    print(content)


if __name__ == "__main__":
    sys.exit(main())
