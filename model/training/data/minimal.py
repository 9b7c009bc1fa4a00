"""Minimal pairs as tensors: the data of the causal losses and the measures of causes."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.tokenizer import Tokenizer
from model.training.data.batches import Movable
from model.training.data.places import find_nouns, find_phrase
from model.training.generated.coreference import CoreferencePair, MinimalPair, minimal_pairs
from model.training.settings import TrainingSettings

IL, ELLE = "il", "elle"
_DRAWS = 20  # times as many pairs as needed; nearly all can be used


@dataclass(frozen=True)
class MinimalBatch(Movable):
    """N minimal pairs: row r < N is a pair's first sentence, row r + N its second sentence.

    `source` (2N, S) ends in the end token, `target` and `swapped` (2N, T) go from begin to end;
    `swapped` is the translation when "it" stands for the other noun. `it` (2N,) is the place of
    "it" in the source, `nouns` (2N, S) is True at the pieces of both nouns, `other` (2N, S) at
    those of the noun that "it" does not stand for. `step` (2N,) is the row of the decoder that
    predicts the pronoun, and `elle` (2N,) is True where elle is right. `rivals` (2,) are the pieces
    il and elle.
    """

    source: Tensor
    target: Tensor
    swapped: Tensor
    it: Tensor
    nouns: Tensor
    other: Tensor
    step: Tensor
    elle: Tensor
    rivals: Tensor

    @property
    def partner(self) -> Tensor:
        """Return the number of each row's partner: (2N,)."""
        return torch.arange(len(self.source), device=self.source.device).roll(len(self.source) // 2)


@dataclass(frozen=True)
class _Encoded:
    """One sentence of a minimal pair as ids without begin or end tokens."""

    source: list[int]
    target: list[int]
    swapped: list[int]
    it: int
    nouns: list[int]
    other: list[int]
    step: int
    elle: bool


class MinimalPairs:
    """Encodes minimal pairs, and draws new ones for every step of a run."""

    def __init__(self, tokenizer: Tokenizer, settings: TrainingSettings) -> None:
        """Look up il and elle; ValueError when one of them is not a single piece."""
        self.tokenizer, self.settings = tokenizer, settings
        self.rivals = [tokenizer.id(word) for word in (IL, ELLE)]

    def draw(self, seed: int) -> MinimalBatch:
        """Return `causal_pairs` new minimal pairs; the same seed always gives the same ones."""
        count = self.settings.causal_pairs
        encoded: list[tuple[_Encoded, _Encoded]] = []
        for pair in minimal_pairs(_DRAWS + 2 * count, seed):
            if rows := self._encode(pair):
                encoded.append(rows)
            if len(encoded) == count:
                return self._batch(encoded)
        raise ValueError("too few of the minimal pairs can be used with these pieces")

    def batches(self, pairs: Sequence[MinimalPair], size: int = 32) -> list[MinimalBatch]:
        """Encode pairs, except where "it" or the pronoun is more than one piece."""
        usable = [rows for pair in pairs if (rows := self._encode(pair))]
        return [self._batch(usable[i : i + size]) for i in range(0, len(usable), size)]

    def _encode(self, pair: MinimalPair) -> tuple[_Encoded, _Encoded] | None:
        """Encode both sentences; None unless "it" and the pronoun are single pieces that align."""
        first, second = (
            self._encode_one(sentence, swapped)
            for sentence, swapped in zip(pair.sentences, pair.swapped, strict=True)
        )
        return (first, second) if first and second and first.it == second.it else None

    def _encode_one(self, sentence: CoreferencePair, swapped: str) -> _Encoded | None:
        tokenizer = self.tokenizer
        nouns = find_nouns(tokenizer, sentence)
        steps = [nouns.translated, find_phrase(tokenizer, swapped, IL, ELLE)]
        if len(nouns.pronoun) != 1 or steps[0] != steps[1] or len(steps[0]) != 1:
            return None
        encoded = _Encoded(
            *(tokenizer.encode(side) for side in (sentence.source, sentence.target, swapped)),
            it=nouns.pronoun[0],
            nouns=[*nouns.antecedent, *nouns.other],
            other=nouns.other,
            step=steps[0][0],
            elle=sentence.gender == "f",
        )
        written = [encoded.target[encoded.step], encoded.swapped[encoded.step]]
        longest = max(len(encoded.source), len(encoded.target) + 1, len(encoded.swapped) + 1) + 1
        right = written == (self.rivals[::-1] if encoded.elle else self.rivals)
        return encoded if right and longest <= self.settings.config.max_length else None

    def _batch(self, pairs: Sequence[tuple[_Encoded, _Encoded]]) -> MinimalBatch:
        rows = [first for first, _ in pairs] + [second for _, second in pairs]
        begin, end = self.tokenizer.begin_id, self.tokenizer.end_id
        source = self._pad([[*row.source, end] for row in rows])
        targets = self._pad(
            [[begin, *ids, end] for row in rows for ids in (row.target, row.swapped)]
        )
        nouns, other = (torch.zeros_like(source, dtype=torch.bool) for _ in range(2))
        for number, row in enumerate(rows):
            nouns[number, row.nouns] = other[number, row.other] = True
        return MinimalBatch(
            source,
            targets[0::2],
            targets[1::2],
            it=torch.tensor([row.it for row in rows]),
            nouns=nouns,
            other=other,
            step=torch.tensor([row.step for row in rows]),
            elle=torch.tensor([row.elle for row in rows]),
            rivals=torch.tensor(self.rivals),
        )

    def _pad(self, rows: list[list[int]]) -> Tensor:
        width = max(map(len, rows))
        return torch.tensor([row + [self.tokenizer.pad_id] * (width - len(row)) for row in rows])
