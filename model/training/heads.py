"""Measure the roles of every head: `python -m model.training.heads --dev DEV.tsv.gz ...`.

The scores are those of `model/measures/head_roles.py`, on sentence pairs and on the pronoun
sentences kept out of training; they are written to heads.json in the checkpoint's folder.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoints.card import HEADS
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.measures.head_roles import (
    BestHead,
    Links,
    Roles,
    Scores,
    add_recording,
    best_heads,
)
from model.sites.sites import KINDS, Kind
from model.training.data.alignment import align, split_words, words_of_pieces
from model.training.data.pairs import Pair, read_pairs
from model.training.data.places import find_nouns
from model.training.data.samples import languages_of
from model.training.generated.coreference import (
    CoreferencePair,
    held_out_frame,
    held_out_known_frames,
)
from model.translator import Translator, load_translator

GOALS = {"previous": 0.8, "next": 0.6, "aligned_given": 0.75, "antecedent": 0.3}
"""The goals of the best heads, so that the pages have something to show."""


def _words(translator: Translator, text: str) -> list[int]:
    return words_of_pieces(translator.tokenizer.pieces(text), split_words(text))


def _add_antecedent(
    roles: dict[Kind, Roles], translator: Translator, pair: CoreferencePair
) -> None:
    """Add the weights from "it", and from the query that predicts il or elle."""
    recording = translator.record(pair.source, pair.target)
    nouns = find_nouns(translator.tokenizer, pair)
    looks: list[tuple[Kind, list[int]]] = [
        ("encoder", nouns.pronoun),
        ("cross", nouns.translated[:1]),  # row n predicts piece n, as row 0 is the begin token
    ]
    for kind, queries in looks:
        weights = recording.attention(kind)
        roles[kind].add_antecedent(weights, queries, nouns.antecedent, nouns.other)


def measure(
    translator: Translator,
    pairs: Sequence[Pair],
    links: Sequence[Links],
    pronouns: Sequence[CoreferencePair],
) -> dict[Kind, Scores]:
    """Score every head on sentence pairs (teacher-forced) and on pronoun sentences."""
    roles: dict[Kind, Roles] = {kind: Roles(kind) for kind in KINDS}
    for pair, linked in zip(pairs, links, strict=True):
        recording = translator.record(pair.source, pair.target)
        add_recording(roles, recording)
        source, target = (_words(translator, side) for side in (pair.source, pair.target))
        roles["cross"].add_alignment(recording.attention("cross"), [*source, -1], target, linked)
    for pronoun in pronouns:
        _add_antecedent(roles, translator, pronoun)
    without = () if pronouns else ("antecedent",)
    return {kind: roles[kind].scores(without) for kind in KINDS}


def against_goals(best: Sequence[BestHead]) -> list[dict[str, Any]]:
    """Return, for every goal, the nearest head; `reached` is True if it reaches the goal."""
    rows: list[dict[str, Any]] = []
    for score, goal in GOALS.items():
        measured = [head for head in best if head.score == score]
        if not measured:
            continue
        nearest = max(measured, key=lambda head: head.value)
        rows.append({**nearest.to_dict(), "goal": goal, "reached": nearest.value >= goal})
    return rows


def pronoun_sentences(translator: Translator) -> list[CoreferencePair]:
    """Return the held-out pronoun sentences for an English-French model, else none."""
    ours = languages_of(translator.folder) == ("en", "fr")
    return [*held_out_known_frames(), *held_out_frame()] if ours else []


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m model.training.heads")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs to measure on")
    parser.add_argument("--train", type=Path, required=True, help="TSV to learn alignments from")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--tried", default="", help="what was tried for a goal that is missed")
    return parser.parse_args()


@command
def main() -> None:
    """Measure a checkpoint's heads, write heads.json beside it and print the best heads."""
    options = _options()
    translator = load_translator(options.checkpoint)
    pairs = read_pairs(options.dev)
    pairs = random.Random(0).sample(pairs, min(options.sentences, len(pairs)))
    links = align(pairs, read_pairs(options.train))
    pronouns = pronoun_sentences(translator)
    scores = measure(translator, pairs, links, pronouns)
    best = best_heads(scores)
    report = {
        "sentences": len(pairs),
        "pronoun_sentences": len(pronouns),
        "best": [head.to_dict() for head in best],
        "goals": against_goals(best),
        "tried": options.tried,
        "scores": {
            kind: {name: np.round(values, 4).tolist() for name, values in named.items()}
            for kind, named in scores.items()
        },
    }
    write_whole(translator.folder / HEADS, (json.dumps(report) + "\n").encode())
    print("| attention | measured | layer | head | value |\n|---|---|---|---|---|")
    for row in best:
        print(f"| {row.kind} | {row.score} | {row.layer} | {row.head} | {row.value:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
