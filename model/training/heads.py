"""What every head does, measured: `python -m model.training.heads --dev DEV.tsv.gz`.

Scores are means over queries, 0 to 1. Written to heads.json in the checkpoint's folder:

previous, next, same    weight on the key just before, just after, at the query's own position
first, end, punctuation weight on the first key, on the end token, on punctuation marks
aligned_given           share of queries whose strongest source word is aligned with the word of
                        the piece the query was given (cross-attention only)
aligned_predicted       likewise for the piece that the query predicts
antecedent              weight on the noun that the pronoun stands for minus weight on the other
                        noun, on held-out pronoun sentences: from "it" in the encoder, from the
                        query that predicts il or elle in cross-attention
"""

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.card import HEADS
from model.checkpoints.checkpoint import write_whole
from model.recording.recording import Recording
from model.recording.sites import KINDS, Kind
from model.training.alignment import Links, align, split_words, words_of_pieces
from model.training.data import Pair, read_pairs
from model.training.generated.coreference import (
    CoreferencePair,
    held_out_frame,
    held_out_known_frames,
)
from model.translator import Translator, load_translator

GOALS = {"previous": 0.9, "aligned_given": 0.75, "antecedent": 0.3}
"""What the best head should reach for the pages to have something to show."""

Weights = NDArray[np.float32]
Scores = dict[str, NDArray[np.float64]]
_PUNCTUATION = re.compile(r"[^\w\s]+")


class Mean:
    """The mean of (L, H) arrays, each of which stands for some number of queries."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.total: NDArray[np.float64] | None = None
        self.count = 0

    def add(self, sums: NDArray[np.floating], count: int) -> None:
        """Add the sum over `count` queries."""
        if count:
            self.total = sums.astype(np.float64) + (0 if self.total is None else self.total)
            self.count += count

    def value(self) -> NDArray[np.float64]:
        """Return the mean; ValueError when nothing was added."""
        if self.total is None:
            raise ValueError("there was nothing to measure")
        return self.total / self.count


def position_sums(weights: Weights, offset: int) -> tuple[Weights, int]:
    """Sum the weight on the key `offset` places from the query: (L, H, Q, K) -> (L, H), queries."""
    diagonal = np.diagonal(weights, offset, axis1=2, axis2=3)  # L H N
    return diagonal.sum(-1), diagonal.shape[-1]


def key_sums(weights: Weights, keys: Sequence[int]) -> tuple[Weights, int]:
    """Sum the weight on some keys over all queries: (L, H, Q, K) -> (L, H), queries."""
    return weights[..., list(keys)].sum((-1, -2)), weights.shape[2] if keys else 0


def aligned_sums(
    weights: Weights,
    rows: Sequence[int],
    row_words: Sequence[int],
    key_words: Sequence[int],
    links: Links,
) -> tuple[Weights, int]:
    """Count queries whose strongest source word is aligned with theirs: (L, H), queries.

    `row_words` names the target word of each of the `rows`, `key_words` the source word of each
    key (-1: none, such as the end token, which can win but is never right).
    """
    words = max([*key_words, 0]) + 1
    gather = np.zeros((len(key_words), words + 1), np.float32)  # K W+1
    gather[np.arange(len(key_words)), [word if word >= 0 else words for word in key_words]] = 1
    strongest = (weights @ gather).argmax(-1)  # L H Q
    hits, count = np.zeros(weights.shape[:2], np.float32), 0
    for row, word in zip(rows, row_words, strict=True):
        right = [source for source, target in links if target == word]
        if right:
            hits += np.isin(strongest[:, :, row], right)
            count += 1
    return hits, count


def is_punctuation(token: str) -> bool:
    """Tell whether a piece is made of punctuation marks alone."""
    return _PUNCTUATION.fullmatch(token.replace("▁", "")) is not None


def _add_positions(means: dict[str, Mean], recording: Recording, kind: Kind) -> None:
    weights = recording.attention(kind)
    keys = recording.tokens(kind)[1]
    if kind != "cross":
        for name, offset in (("previous", -1), ("same", 0), ("next", 1)):
            means[name].add(*position_sums(weights, offset))
    means["first"].add(*key_sums(weights, [0]))
    means["end"].add(*key_sums(weights, [n for n, key in enumerate(keys) if key == "</s>"]))
    marks = [number for number, key in enumerate(keys) if is_punctuation(key)]
    means["punctuation"].add(*key_sums(weights, marks))


def _add_alignment(
    means: dict[str, Mean], translator: Translator, pair: Pair, recording: Recording, links: Links
) -> None:
    source, target = (
        words_of_pieces(translator.tokenizer.pieces(text), split_words(text))
        for text in (pair.source, pair.target)
    )
    weights, pieces = recording.attention("cross"), range(len(target))
    key_words = [*source, -1]
    given, predicted = [piece + 1 for piece in pieces], list(pieces)
    means["aligned_given"].add(*aligned_sums(weights, given, target, key_words, links))
    means["aligned_predicted"].add(*aligned_sums(weights, predicted, target, key_words, links))


@dataclass(frozen=True)
class Nouns:
    """A pronoun sentence's pieces: "it", its antecedent, the other noun, and il or elle."""

    pronoun: list[int]
    antecedent: list[int]
    other: list[int]
    translated: list[int]


def find_nouns(translator: Translator, pair: CoreferencePair) -> Nouns:
    """Find the pieces in source (pronoun, antecedent, other) and target (translated)."""

    def find(text: str, *phrases: str) -> list[int]:
        """Return the pieces of the last place where one of the phrases stands."""
        words = split_words(text)
        texts = [word.text.lower() for word in words]
        parts = [phrase.lower().split() for phrase in phrases]
        spans = [
            range(start, start + len(part))
            for start in range(len(texts))
            for part in parts
            if texts[start : start + len(part)] == part
        ]
        of_piece = words_of_pieces(translator.tokenizer.pieces(text), words)
        return [number for number, word in enumerate(of_piece) if word in spans[-1]]

    return Nouns(
        pronoun=find(pair.source, "it"),
        antecedent=find(pair.source, pair.antecedent_word),
        other=find(pair.source, pair.other_word),
        translated=find(pair.target, "il", "elle"),
    )


def _add_antecedent(
    means: dict[Kind, dict[str, Mean]], translator: Translator, pair: CoreferencePair
) -> None:
    """Look from "it" and from the query that predicts il or elle: one place before its piece."""
    recording = translator.record(pair.source, pair.target)
    nouns = find_nouns(translator, pair)
    looks: list[tuple[Kind, list[int]]] = [
        ("encoder", nouns.pronoun),
        ("cross", nouns.translated[:1]),  # piece n is predicted by row n, as row 0 is the begin
    ]
    for kind, queries in looks:
        weights = recording.attention(kind)[:, :, queries]  # L H Q K
        difference = weights[..., nouns.antecedent].sum(-1) - weights[..., nouns.other].sum(-1)
        means[kind]["antecedent"].add(difference.sum(-1), len(queries))


def names_of(kind: Kind) -> Iterator[str]:
    """List the scores that heads of this kind have."""
    if kind != "cross":
        yield from ("previous", "same", "next") if kind == "encoder" else ("previous", "same")
    yield from ("first", "end", "punctuation") if kind != "decoder" else ("first", "punctuation")
    if kind == "cross":
        yield from ("aligned_given", "aligned_predicted")
    if kind != "decoder":
        yield "antecedent"


def measure(
    translator: Translator,
    pairs: Sequence[Pair],
    links: Sequence[Links],
    pronouns: Sequence[CoreferencePair],
) -> dict[Kind, Scores]:
    """Score every head on sentence pairs (teacher-forced) and on pronoun sentences."""
    means: dict[Kind, dict[str, Mean]] = {
        kind: {name: Mean() for name in (*names_of(kind), "next", "end")} for kind in KINDS
    }
    for pair, linked in zip(pairs, links, strict=True):
        recording = translator.record(pair.source, pair.target)
        for kind in KINDS:
            _add_positions(means[kind], recording, kind)
        _add_alignment(means["cross"], translator, pair, recording, linked)
    for pronoun in pronouns:
        _add_antecedent(means, translator, pronoun)
    return {kind: {name: means[kind][name].value() for name in names_of(kind)} for kind in KINDS}


def best_heads(scores: dict[Kind, Scores]) -> list[dict[str, Any]]:
    """Name the best head for every score; layers and heads counted from 1."""
    rows: list[dict[str, Any]] = []
    for kind, named in scores.items():
        for name, values in named.items():
            layer, head = np.unravel_index(values.argmax(), values.shape)
            value = round(float(values.max()), 3)
            rows.append(
                {
                    "kind": kind,
                    "score": name,
                    "layer": int(layer) + 1,
                    "head": int(head) + 1,
                    "value": value,
                }
            )
    return rows


def against_goals(best: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Say of every goal which head comes nearest and whether it gets there."""
    rows: list[dict[str, Any]] = []
    for score, goal in GOALS.items():
        nearest = max((row for row in best if row["score"] == score), key=lambda row: row["value"])
        rows.append({**nearest, "goal": goal, "reached": nearest["value"] >= goal})
    return rows


def main() -> int:
    """Measure a checkpoint's heads, write heads.json beside it and print the best ones."""
    parser = argparse.ArgumentParser(prog="python -m model.training.heads")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs to measure on")
    parser.add_argument("--train", type=Path, required=True, help="TSV to learn alignments from")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--tried", default="", help="what was tried for a goal that is missed")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    pairs = read_pairs(options.dev)
    pairs = random.Random(0).sample(pairs, min(options.sentences, len(pairs)))
    try:
        links = align(pairs, read_pairs(options.train))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    pronouns = [*held_out_known_frames(), *held_out_frame()]
    scores = measure(translator, pairs, links, pronouns)
    best = best_heads(scores)
    report = {
        "sentences": len(pairs),
        "pronoun_sentences": len(pronouns),
        "best": best,
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
        print("| {kind} | {score} | {layer} | {head} | {value:.2f} |".format_map(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
