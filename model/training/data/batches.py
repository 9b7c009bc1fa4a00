"""Batches of similar length: padded ids, blanks for the decoder, masks for the side task."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
import torch
from torch import Tensor

from model.tokenizer import Tokenizer
from model.training.data.pairs import Asked, EncodedPair
from model.training.settings import TrainingSettings, in_phase
from model.words import SPECIAL_TOKENS, WORD_START, is_punctuation

BLANK = SPECIAL_TOKENS[3]
"""The token for a hidden piece: no text ever needs it, as every byte has a piece."""

_MARKS = (".", "!", "?")
_NOTHING_ASKED = Asked(-1, False, 0)
_LEFT, _RANDOM = 0.1, 0.1  # of the hidden pieces; the rest become blanks (BERT, section 3.1)


class Movable:
    """A frozen dataclass of tensors that can move to a device."""

    def to(self, device: torch.device) -> Self:
        """Move all to a device."""
        moved = {f.name: getattr(self, f.name).to(device) for f in fields(self)}  # pyrefly: ignore[bad-argument-type]
        return replace(self, **moved)  # pyrefly: ignore[bad-specialization]


@dataclass(frozen=True)
class Batch(Movable):
    """Padded ids: source (B, S) ending in the end token, target (B, T) from begin to end.

    `given` (B, T - 1) is the decoder's input: the target without its last column, perhaps with
    blanks. `generated` (B,) is True where a pair, or a part of a joined pair, was generated.
    `place` (B,) is the place of "it" in the source for the tasks on its memory, or -1. Where there
    is a place, `elle` (B,) is 1 if French says elle, and `noun` (B,) is the piece of the noun.
    `resting` (B, S) is True at end tokens and punctuation of the source.
    """

    source: Tensor
    target: Tensor
    given: Tensor
    generated: Tensor
    place: Tensor
    elle: Tensor
    noun: Tensor
    resting: Tensor


@dataclass(frozen=True)
class MaskedText(Movable):
    """English with hidden pieces: source (N, S), where they are hidden (N, S), their ids (K,).

    The K ids are in the order of their places, row by row.
    """

    source: Tensor
    chosen: Tensor
    ids: Tensor


class BatchMaker:
    """Cuts encoded pairs into batches of a limited number of tokens, and makes tensors of them.

    The result depends only on the pairs, the seed and the arguments. A share `join` of the pairs is
    joined two by two into longer pairs, where these fit into the model. A share `unmarked` of the
    rest loses the final mark of both sides, such as the full stop, which people often leave out.
    """

    def __init__(self, tokenizer: Tokenizer, settings: TrainingSettings) -> None:
        """Look up the special pieces."""
        self.settings = settings
        self.marks = {
            id_
            for id_ in range(len(tokenizer))
            if tokenizer.token(id_).lstrip(WORD_START) in _MARKS
        }
        punctuation = [i for i in range(len(tokenizer)) if is_punctuation(tokenizer.token(i))]
        self.resting = torch.tensor([*punctuation, tokenizer.end_id])
        self.pad_id, self.begin_id, self.end_id = (
            tokenizer.pad_id,
            tokenizer.begin_id,
            tokenizer.end_id,
        )
        self.blank_id, self.pieces = tokenizer.id(BLANK), len(tokenizer)

    def cut(
        self, pairs: Sequence[EncodedPair], number: int, phase: int = 0, tokens: int = 0
    ) -> list[list[EncodedPair]]:
        """Shuffle, join, sort by length (ties stay shuffled) and cut into batches.

        A batch's rows times its padded longer side are at most `tokens` (0: as the settings say).
        Raises ValueError when a single pair is longer than that.
        """
        random = np.random.default_rng((self.settings.seed, number))
        limit = tokens or self.settings.tokens
        if (length := max((pair.length for pair in pairs), default=0)) > limit:
            raise ValueError(f"a pair of {length} tokens is longer than a batch of {limit}")
        all_pairs = self._joined([pairs[i] for i in random.permutation(len(pairs))])
        last = len(all_pairs) - int(len(all_pairs) * in_phase(self.settings.unmarked, phase))
        all_pairs[last:] = map(self._unmarked, all_pairs[last:])
        lengths = np.array([pair.length for pair in all_pairs], dtype=int)
        order = np.argsort(lengths + random.uniform(0, 1, len(all_pairs)), kind="stable")
        batches: list[list[EncodedPair]] = []
        current: list[EncodedPair] = []
        for index in order:
            if current and (len(current) + 1) * lengths[index] > limit:
                batches.append(current)
                current = []
            current.append(all_pairs[index])
        batches += [current] if current else []
        return [batches[i] for i in random.permutation(len(batches))]

    def _joined(self, pairs: list[EncodedPair]) -> list[EncodedPair]:
        """Join the first of the shuffled pairs two by two, where the joined pair fits."""
        twos = int(len(pairs) * self.settings.join / 2)
        all_pairs: list[EncodedPair] = []
        for a, b in zip(pairs[:twos], pairs[twos : 2 * twos], strict=True):
            longer = joined(a, b)
            all_pairs += [longer] if longer.length <= self.settings.longest else [a, b]
        return all_pairs + pairs[2 * twos :]

    def _unmarked(self, pair: EncodedPair) -> EncodedPair:
        """Remove the final mark from both sides, if both have a mark and more text."""
        sides = (pair.source, pair.target)
        if any(len(side) < 2 or side[-1] not in self.marks for side in sides):
            return pair
        return replace(pair, source=pair.source[:-1], target=pair.target[:-1])

    def collate(
        self,
        pairs: Sequence[EncodedPair],
        blanked: float = 0.0,
        random: np.random.Generator | None = None,
    ) -> Batch:
        """Add begin and end tokens, pad, and blank a share of the decoder's input pieces."""
        source = self._pad([[*pair.source, self.end_id] for pair in pairs])
        target = self._pad([[self.begin_id, *pair.target, self.end_id] for pair in pairs])
        inputs = target[:, :-1]
        if blanked and random is not None:
            drawn = torch.from_numpy(random.random(inputs.shape)) < blanked
            inputs = inputs.masked_fill(drawn & ~self._special(inputs), self.blank_id)
        questions = [pair.asked or _NOTHING_ASKED for pair in pairs]
        return Batch(
            source,
            target,
            inputs,
            generated=torch.tensor([pair.generated for pair in pairs], dtype=torch.bool),
            place=torch.tensor([question.place for question in questions]),
            elle=torch.tensor([int(question.elle) for question in questions]),
            noun=torch.tensor([question.noun for question in questions]),
            resting=torch.isin(source, self.resting),
        )

    def mask(self, pairs: Sequence[EncodedPair], random: np.random.Generator) -> MaskedText:
        """Hide a share of the source pieces; most become blanks, some become other pieces.

        At least one is hidden.
        """
        ids = self._pad([[*pair.source, self.end_id] for pair in pairs])  # N S
        drawn = torch.from_numpy(random.random(ids.shape)).masked_fill(self._special(ids), 1.0)
        hides = drawn < max(self.settings.masked_pieces, float(drawn.min()) + 1e-9)
        kind = torch.from_numpy(random.random(ids.shape))
        pieces = torch.from_numpy(random.integers(self.blank_id + 1, self.pieces, ids.shape))
        hidden = torch.where(kind < _LEFT + _RANDOM, pieces, self.blank_id)
        hidden = torch.where(kind < _LEFT, ids, hidden)
        return MaskedText(torch.where(hides, hidden, ids), hides, ids[hides])

    def _special(self, ids: Tensor) -> Tensor:
        return (ids == self.pad_id) | (ids == self.begin_id) | (ids == self.end_id)

    def _pad(self, rows: list[list[int]]) -> Tensor:
        width = max(map(len, rows))
        return torch.tensor([row + [self.pad_id] * (width - len(row)) for row in rows])


def joined(a: EncodedPair, b: EncodedPair) -> EncodedPair:
    """Join two pairs; the question is that of the first pair that has a question."""
    later = b.asked and replace(b.asked, place=b.asked.place + len(a.source))
    return EncodedPair(
        a.source + b.source, a.target + b.target, a.generated or b.generated, a.asked or later
    )
