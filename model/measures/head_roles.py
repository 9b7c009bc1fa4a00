"""Scores of every head: weight on the token before, on punctuation, on an antecedent ...

Scores are means over queries, 0 to 1, one for each head of a kind of attention: (L, H).

previous, next, same    weight on the key just before, just after, at the query's own position
first, end, punctuation weight on the first key, on the end token, on punctuation marks
aligned_given           share of queries whose strongest source word is aligned with the word of
                        the piece the query was given (cross-attention only)
aligned_predicted       likewise for the piece that the query predicts
antecedent              weight on the noun that the pronoun stands for minus weight on the other
                        noun: from "it" in the encoder, from the query that predicts il or elle in
                        cross-attention
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from model.recording.recording import Recording
from model.sites.sites import KINDS, Kind
from model.words import SPECIAL_TOKENS, is_punctuation

Weights = NDArray[np.float32]
Scores = dict[str, NDArray[np.float64]]
Links = frozenset[tuple[int, int]]
"""Pairs (source word, target word), counted from 0."""

END_TOKEN = SPECIAL_TOKENS[2]


class Mean:
    """The mean of (L, H) arrays, each of which stands for some number of queries."""

    def __init__(self) -> None:
        """Start without any arrays."""
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
    """Sum the weight on the key `offset` places from the query: (L, H, Q, K) -> (L, H); queries."""
    diagonal = np.diagonal(weights, offset, axis1=2, axis2=3)  # L H N
    return diagonal.sum(-1), diagonal.shape[-1]


def key_sums(weights: Weights, keys: Sequence[int]) -> tuple[Weights, int]:
    """Sum the weight on some keys over all queries: (L, H, Q, K) -> (L, H), queries.

    Without keys the number of queries is 0.
    """
    return weights[..., list(keys)].sum((-1, -2)), weights.shape[2] if keys else 0


def aligned_sums(
    weights: Weights,
    rows: Sequence[int],
    row_words: Sequence[int],
    key_words: Sequence[int],
    links: Links,
) -> tuple[Weights, int]:
    """Count queries whose strongest source word is aligned with their word: (L, H), queries.

    `row_words` names the target word of each of the `rows`, `key_words` the source word of each
    key (-1: none, such as the end token, which can win but is never right).
    """
    words = max([*key_words, 0]) + 1
    gather = np.zeros((len(key_words), words + 1), np.float32)  # K W+1
    gather[np.arange(len(key_words)), list(key_words)] = 1  # word -1 is the last column
    strongest = (weights @ gather).argmax(-1)  # L H Q
    hits, count = np.zeros(weights.shape[:2], np.float32), 0
    for row, word in zip(rows, row_words, strict=True):
        right = [source for source, target in links if target == word]
        if right:
            hits += np.isin(strongest[:, :, row], right)
            count += 1
    return hits, count


def antecedent_sums(
    weights: Weights, queries: Sequence[int], antecedent: Sequence[int], other: Sequence[int]
) -> tuple[Weights, int]:
    """Sum weight on the antecedent's keys minus weight on the other noun's: (L, H), queries."""
    looks = weights[:, :, list(queries)]  # L H Q K
    difference = looks[..., list(antecedent)].sum(-1) - looks[..., list(other)].sum(-1)  # L H Q
    return difference.sum(-1), len(queries)


def names_of(kind: Kind) -> Iterator[str]:
    """List the scores that heads of this kind have."""
    if kind != "cross":
        yield from ("previous", "same", "next") if kind == "encoder" else ("previous", "same")
    yield from ("first", "end", "punctuation") if kind != "decoder" else ("first", "punctuation")
    if kind == "cross":
        yield from ("aligned_given", "aligned_predicted")
    if kind != "decoder":
        yield "antecedent"


class Roles:
    """The scores of all heads of one kind, gathered sentence by sentence."""

    def __init__(self, kind: Kind) -> None:
        """Start without any sentence."""
        self.kind: Kind = kind
        self.means = {name: Mean() for name in (*names_of(kind), "next", "end")}

    def add_positions(self, weights: Weights, keys: Sequence[str]) -> None:
        """Add a sentence's weights (L, H, Q, K), by the places of its keys; `keys` are tokens."""
        if self.kind != "cross":
            for name, offset in (("previous", -1), ("same", 0), ("next", 1)):
                self.means[name].add(*position_sums(weights, offset))
        ends = [number for number, key in enumerate(keys) if key == END_TOKEN]
        marks = [number for number, key in enumerate(keys) if is_punctuation(key)]
        for name, numbers in (("first", [0]), ("end", ends), ("punctuation", marks)):
            self.means[name].add(*key_sums(weights, numbers))

    def add_alignment(
        self, weights: Weights, key_words: Sequence[int], row_words: Sequence[int], links: Links
    ) -> None:
        """Add a sentence's weights (L, H, Q, K) by the alignment of words.

        `row_words` names the word of each target piece: row n + 1 reads piece n, row n predicts it.
        """
        for name, first in (("aligned_given", 1), ("aligned_predicted", 0)):
            rows = range(first, first + len(row_words))
            self.means[name].add(*aligned_sums(weights, rows, row_words, key_words, links))

    def add_antecedent(
        self,
        weights: Weights,
        queries: Sequence[int],
        antecedent: Sequence[int],
        other: Sequence[int],
    ) -> None:
        """Add a pronoun sentence's weights (L, H, Q, K); all other parameters are piece numbers."""
        self.means["antecedent"].add(*antecedent_sums(weights, queries, antecedent, other))

    def scores(self, without: Collection[str] = ()) -> Scores:
        """Return every score (L, H) by name; ValueError when a score has no data."""
        return {
            name: self.means[name].value() for name in names_of(self.kind) if name not in without
        }


def add_recording(roles: dict[Kind, Roles], recording: Recording) -> None:
    """Add all attention of a recording by the places of its keys."""
    for kind in KINDS:
        roles[kind].add_positions(recording.attention(kind), recording.tokens(kind)[1])


@dataclass(frozen=True)
class BestHead:
    """The head with the highest score of a name; layer and head are counted from 1."""

    kind: Kind
    score: str
    layer: int
    head: int
    value: float

    def to_dict(self) -> dict[str, str | int | float]:
        """Return the fields by name, ready for JSON."""
        return asdict(self)


def best_head(kind: Kind, name: str, values: NDArray[np.float64]) -> BestHead:
    """Find the head with the highest of the scores (L, H)."""
    layer, head = np.unravel_index(values.argmax(), values.shape)
    return BestHead(kind, name, int(layer) + 1, int(head) + 1, round(float(values.max()), 3))


def best_heads(scores: dict[Kind, Scores]) -> list[BestHead]:
    """Name the best head for every score of every kind."""
    return [
        best_head(kind, name, values)
        for kind, named in scores.items()
        for name, values in named.items()
    ]
