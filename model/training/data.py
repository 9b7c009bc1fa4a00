"""Sentence pairs: reading TSV files, learning the pieces, batches of similar length."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import sentencepiece
import torch
from torch import Tensor

from model.tokenizer import Tokenizer
from model.training.settings import TrainingSettings, in_epoch


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation."""

    source: str
    target: str


_MARKS = (".", "!", "?")

# Two pangrams side by side that say different things.
NO_TRANSLATIONS = frozenset(
    [
        Pair(
            "The quick brown fox jumps over the lazy dog.",
            "Portez ce vieux whisky au juge blond qui fume.",
        )
    ]
)


def read_pairs(path: Path) -> list[Pair]:
    """Read the first two columns of a TSV file (.gz or not).

    Raises ValueError naming the file, and the line where there is one, when the file cannot be
    read as UTF-8 text or a line has fewer than two columns.
    """
    pairs: list[Pair] = []
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            for line in lines:
                columns = line.decode().rstrip("\r\n").split("\t")
                if len(columns) < 2:
                    raise ValueError(f"two columns expected, found {len(columns)}")
                pairs.append(Pair(columns[0], columns[1]))
    except ValueError as error:
        raise ValueError(f"{path}:{len(pairs) + 1}: {error}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: {error}") from error
    return pairs


def learn_tokenizer(pairs: list[Pair], vocab_size: int) -> Tokenizer:
    """Learn a unigram model with byte fallback, shared by both languages.

    Raises ValueError when the text does not yield that many pieces, or needs more.
    """
    serialized = io.BytesIO()
    sentences = [text for pair in pairs for text in (pair.source, pair.target)]
    try:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(sentences),
            model_writer=serialized,
            model_type="unigram",
            vocab_size=vocab_size,
            byte_fallback=True,
            character_coverage=0.999996,  # at 0.9999, Z, 6 and % are bytes
            pad_id=0,
            bos_id=1,
            eos_id=2,
            unk_id=3,
            num_threads=1,
            minloglevel=2,
        )
    except RuntimeError as error:
        raise ValueError(f"{vocab_size} pieces cannot be learned: {error}") from error
    return Tokenizer(serialized.getvalue())


@dataclass(frozen=True)
class EncodedPair:
    """Ids of a pair without begin or end tokens, and whether it was generated."""

    source: list[int]
    target: list[int]
    generated: bool = False

    @property
    def length(self) -> int:
        """The longer side with its begin and end tokens."""
        return max(len(self.source) + 1, len(self.target) + 2)


@dataclass(frozen=True)
class Batch:
    """Padded ids: source (B, S) ending in the end token, target (B, T) from begin to end.

    `generated` (B,) is True where a pair, or one it is joined of, was generated.
    """

    source: Tensor
    target: Tensor
    generated: Tensor

    def to(self, device: torch.device) -> "Batch":
        """Move all to a device."""
        return Batch(self.source.to(device), self.target.to(device), self.generated.to(device))


class BatchMaker:
    """Cuts encoded pairs into batches of at most `tokens` (rows times the padded longer side).

    The order depends on seed and epoch alone, so that a resumed run goes on where it stopped.
    With `join`, that share of the pairs is joined with another one into a longer pair, where both
    fit into the model; with `unmarked`, that share, among the rest, loses the full stop or other
    mark at the end of both sides, which people who type often leave out. `added` gives the pairs
    that an epoch has beside the others. Raises ValueError when a pair alone is longer than a batch.
    """

    def __init__(
        self,
        pairs: list[EncodedPair],
        tokenizer: Tokenizer,
        settings: TrainingSettings,
        added: Callable[[int], list[EncodedPair]] = lambda _: [],
    ) -> None:
        """Keep the pairs; batches are made per epoch."""
        self.pairs, self.settings, self.added = pairs, settings, added
        if (length := max((pair.length for pair in pairs), default=0)) > settings.longest:
            raise ValueError(f"a pair of {length} tokens is longer than {settings.longest}")
        self.marks = {
            id_ for id_ in range(len(tokenizer)) if tokenizer.token(id_).lstrip("▁") in _MARKS
        }
        self.pad_id, self.begin_id, self.end_id = (
            tokenizer.pad_id,
            tokenizer.begin_id,
            tokenizer.end_id,
        )

    def epoch(self, number: int) -> list[list[EncodedPair]]:
        """Shuffle, join, sort by length (ties stay shuffled) and cut into batches."""
        random = np.random.default_rng((self.settings.seed, number))
        pairs = self.pairs + self.added(number)
        pairs = self._joined([pairs[i] for i in random.permutation(len(pairs))])
        last = len(pairs) - int(len(pairs) * in_epoch(self.settings.unmarked, number))
        pairs[last:] = map(self._unmarked, pairs[last:])
        lengths = np.array([pair.length for pair in pairs], dtype=int)
        order = np.argsort(lengths + random.uniform(0, 1, len(pairs)), kind="stable")
        batches: list[list[EncodedPair]] = []
        current: list[EncodedPair] = []
        for index in order:
            if current and (len(current) + 1) * lengths[index] > self.settings.tokens:
                batches.append(current)
                current = []
            current.append(pairs[index])
        batches += [current] if current else []
        return [batches[i] for i in random.permutation(len(batches))]

    def _joined(self, pairs: list[EncodedPair]) -> list[EncodedPair]:
        """Join the first pairs (they are shuffled) two by two, where they fit."""
        twos = int(len(pairs) * self.settings.join / 2)
        joined: list[EncodedPair] = []
        for a, b in zip(pairs[:twos], pairs[twos : 2 * twos], strict=True):
            generated = a.generated or b.generated
            both = EncodedPair(a.source + b.source, a.target + b.target, generated)
            joined += [both] if both.length <= self.settings.longest else [a, b]
        return joined + pairs[2 * twos :]

    def _unmarked(self, pair: EncodedPair) -> EncodedPair:
        """Take the last mark off both sides, where both have one and more than that."""
        sides = (pair.source, pair.target)
        if any(len(side) < 2 or side[-1] not in self.marks for side in sides):
            return pair
        return replace(pair, source=pair.source[:-1], target=pair.target[:-1])

    def collate(self, pairs: list[EncodedPair]) -> Batch:
        """Add begin and end tokens and pad."""
        sources = [[*pair.source, self.end_id] for pair in pairs]
        targets = [[self.begin_id, *pair.target, self.end_id] for pair in pairs]
        generated = torch.tensor([pair.generated for pair in pairs], dtype=torch.bool)
        return Batch(self._pad(sources), self._pad(targets), generated)

    def _pad(self, rows: list[list[int]]) -> Tensor:
        width = max(map(len, rows))
        return torch.tensor([row + [self.pad_id] * (width - len(row)) for row in rows])


def encode_pairs(pairs: list[Pair], tokenizer: Tokenizer, longest: int) -> list[EncodedPair]:
    """Encode pairs, leaving out those with an empty side and those longer than `longest`."""
    sources = tokenizer.encode_all([pair.source for pair in pairs])
    targets = tokenizer.encode_all([pair.target for pair in pairs])
    encoded = map(EncodedPair, sources, targets)
    return [pair for pair in encoded if pair.source and pair.target and pair.length <= longest]


def endless(batches: BatchMaker, start: int, rank: int, world: int) -> Iterator[Batch]:
    """Yield this rank's batch of every step from step `start` on, epoch after epoch."""
    step, epoch = 0, 0
    while True:
        made = batches.epoch(epoch)
        steps = len(made) // world
        if not steps:
            raise ValueError(f"{len(made)} batches are too few for {world} processes")
        for index in range(max(start - step, 0), steps):
            yield batches.collate(made[index * world + rank])
        step, epoch = step + steps, epoch + 1
