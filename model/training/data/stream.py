"""The order of a run's data: rounds drawn from several files, step after step."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from model.training.data.batches import Batch, BatchMaker, MaskedText
from model.training.data.minimal import MinimalBatch, MinimalPairs
from model.training.data.pairs import EncodedPair
from model.training.settings import ALONE, TrainingSettings, in_phase

Added = Callable[[int, int, int], list[EncodedPair]]
"""Returns generated pairs for a round, by number and phase, beside a count of others."""


@dataclass(frozen=True)
class Position:
    """The position of a stream: its round, and the batches already taken from it.

    `taken` counts the pairs drawn from each file in the rounds before.
    """

    number: int = -1
    phase: int = ALONE
    done: int = 0
    taken: tuple[int, ...] = ()


def counts_of_round(sizes: Sequence[int], weights: Sequence[float], wanted: int) -> list[int]:
    """Return the number of pairs that each file gives to a round of about `wanted` pairs.

    A file gives at most all its pairs, so that none is repeated within a round.
    """
    total = sum(size * weight for size, weight in zip(sizes, weights, strict=True))
    share = min(wanted / total, 1 / max(weights)) if total else 0
    return [round(size * weight * share) for size, weight in zip(sizes, weights, strict=True)]


class Files:
    """The pairs of several files, each drawn in random order, and whole before it repeats."""

    def __init__(self, files: Sequence[Sequence[EncodedPair]], seed: int) -> None:
        """Keep the files; the order of the draws depends on the seed alone."""
        self.files, self.seed = files, seed

    def draw(self, file: int, start: int, count: int) -> list[EncodedPair]:
        """Return `count` pairs of a file, after the first `start` draws."""
        pairs, drawn = self.files[file], []
        while count:
            repetition, at = divmod(start, len(pairs))
            order = np.random.default_rng((self.seed, file, repetition)).permutation(len(pairs))
            indices = order[at : at + count]
            drawn += [pairs[index] for index in indices]
            start, count = start + len(indices), count - len(indices)
        return drawn


def nothing_added(number: int, phase: int, count: int) -> list[EncodedPair]:  # noqa: ARG001
    """Add no pairs to a round."""
    return []


@dataclass
class Stream:
    """Batches of one kind, round after round; the position alone decides the next batch.

    `weights` gives each file's weight by phase, `tokens` the size of a batch by phase.
    """

    maker: BatchMaker
    files: Files
    weights: tuple[tuple[float, ...], ...]
    tokens: Callable[[int], int]
    added: Added = nothing_added
    rank: int = 0
    world: int = 1
    position: Position = field(default_factory=Position)
    _round: list[list[EncodedPair]] | None = None

    def next(self, phase: int) -> list[EncodedPair]:
        """Return this process's pairs of the next batch; a new phase begins a new round.

        Raises ValueError when a round has no batch for every process.
        """
        if self._round is None and self.position.number >= 0:
            self._round = self._draw()
        steps = len(self._round or ()) // self.world
        if phase != self.position.phase or self.position.done >= steps:
            self.position = Position(self.position.number + 1, phase, 0, self._taken_after())
            self._round = self._draw()
            if len(self._round) < self.world:
                batches = len(self._round)
                raise ValueError(f"{batches} batches are too few for {self.world} processes")
        assert self._round is not None
        batch = self._round[self.position.done * self.world + self.rank]
        self.position = replace(self.position, done=self.position.done + 1)
        return batch

    def go_on(self, position: Position) -> None:
        """Continue at a position."""
        self.position, self._round = position, None

    def _counts(self) -> list[int]:
        weights = [in_phase(file, self.position.phase) for file in self.weights]
        sizes = [len(file) for file in self.files.files]
        return counts_of_round(sizes, weights, self.maker.settings.round)

    def _taken(self) -> tuple[int, ...]:
        return self.position.taken or (0,) * len(self.files.files)

    def _taken_after(self) -> tuple[int, ...]:
        if self.position.number < 0:
            return self._taken()
        return tuple(a + b for a, b in zip(self._taken(), self._counts(), strict=True))

    def _draw(self) -> list[list[EncodedPair]]:
        number, phase = self.position.number, self.position.phase
        pairs: list[EncodedPair] = []
        for file, (start, count) in enumerate(zip(self._taken(), self._counts(), strict=True)):
            pairs += self.files.draw(file, start, count)
        pairs += self.added(number, phase, len(pairs))
        return self.maker.cut(pairs, number, phase, self.tokens(phase))


@dataclass(frozen=True)
class Examples:
    """The data of one pass, and the positions of pairs and text after it."""

    pairs: Batch | None
    text: MaskedText | None
    positions: tuple[Position, Position]
    minimal: MinimalBatch | None = None

    def to(self, device: torch.device) -> "Examples":
        """Move all to a device."""
        pairs = self.pairs.to(device) if self.pairs else None
        text = self.text.to(device) if self.text else None
        minimal = self.minimal.to(device) if self.minimal else None
        return Examples(pairs, text, self.positions, minimal)

    def tokens(self, pad_id: int) -> int:
        """Count the pieces that the loss measures."""
        if self.pairs:
            return int((self.pairs.target[:, 1:] != pad_id).sum())
        return len(self.text.ids) if self.text else 0


class Feed(IterableDataset):
    """All passes of a run from a step on: pairs to translate, and English with hidden pieces."""

    def __init__(
        self,
        settings: TrainingSettings,
        pairs: Stream,
        text: Stream | None,
        minimal: MinimalPairs | None = None,
    ) -> None:
        """Keep the two streams and the minimal pairs.

        Without text no pieces are hidden. Raises ValueError when a setting needs missing data.
        """
        self.settings, self.pairs, self.text, self.step = settings, pairs, text, 0
        self.minimal = minimal
        if minimal is None and settings.ever_teaches_causes:
            raise ValueError("causal losses need minimal pairs, but there are none")
        if text is None and (settings.pretrain or any(settings.masked)):
            raise ValueError("pretrain and masked need English text, but there is none")

    def go_on(self, step: int, positions: tuple[Position, Position]) -> None:
        """Begin at a step, with the positions that the streams had there."""
        self.step = step
        self.pairs.go_on(positions[0])
        if self.text:
            self.text.go_on(positions[1])

    def __iter__(self) -> Iterator[Examples]:
        """Yield `accumulate` examples for each step; several workers take turns.

        Every worker draws all rounds, since the order depends on them, and makes its own tensors.
        """
        info, number = get_worker_info(), 0
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        for step in range(self.step, self.settings.steps):
            for part in range(self.settings.accumulate):
                drawn = self._draw(self.settings.phase(step))
                if number % workers == worker:
                    yield self._examples(step, part, *drawn)
                number += 1

    def _draw(self, phase: int) -> tuple[list[EncodedPair] | None, list[EncodedPair] | None]:
        """Draw the next pairs and the next text, where this phase has them."""
        pairs = None if phase == ALONE else self.pairs.next(phase)
        guesses = phase == ALONE or in_phase(self.settings.masked, phase)
        return pairs, self.text.next(phase) if self.text and guesses else None

    def _examples(
        self, step: int, part: int, drawn: list[EncodedPair] | None, read: list[EncodedPair] | None
    ) -> Examples:
        settings, phase = self.settings, self.settings.phase(step)
        rank = self.pairs.rank
        random = np.random.default_rng((settings.seed, step, part, rank, 1))
        pairs = text = None
        if drawn is not None:
            blanked = in_phase(settings.blanked, phase)
            pairs = self.pairs.maker.collate(drawn, blanked, random)
        if self.text and read is not None:
            text = self.text.maker.mask(read, random)
        minimal = None
        if self.minimal and settings.teaches_causes(phase):
            minimal = self.minimal.draw(int(random.integers(2**63)))
        positions = (self.pairs.position, self.text.position if self.text else Position())
        return Examples(pairs, text, positions, minimal)
