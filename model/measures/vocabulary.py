"""Learning a vocabulary from a text, by SentencePiece's own trainer.

BPE (Sennrich et al. 2016) joins the most frequent pair of neighbouring pieces again and again. The
unigram model (Kudo 2018) starts from many pieces and drops those that the text misses least.
"""

import io
import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

import sentencepiece

Method = Literal["bpe", "unigram"]
METHODS: tuple[Method, ...] = ("bpe", "unigram")
LONGEST, MOST_PIECES = 20_000, 2_000
"""Limits: characters of a text and pieces of a vocabulary, for about a second's work."""

SPECIAL = 3
"""Pieces that every vocabulary has: `<unk>`, `<s>`, `</s>`."""


@dataclass(frozen=True)
class Learned:
    """A piece, its score, and its count in the text as this vocabulary cuts it.

    BPE lists the pieces in the order of joining, single characters last; the score is that number,
    below zero. The unigram model has a log-probability in nats.
    """

    piece: str
    count: int
    score: float


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A learned vocabulary: its model, and its pieces in order, without special pieces."""

    pieces: tuple[Learned, ...]
    serialized: bytes

    def cut(self, text: str) -> tuple[tuple[str, bool], ...]:
        """Cut a text into pieces, each with a flag; False means `<unk>`, not in the vocabulary."""
        processor = sentencepiece.SentencePieceProcessor(model_proto=self.serialized)
        unknown = processor.unk_id()
        ids, names = processor.Encode(text), processor.Encode(text, out_type=str)
        return tuple((name, id_ != unknown) for name, id_ in zip(names, ids, strict=True))


def learned(text: str, method: Method, size: int, rarest: int) -> Vocabulary:
    """Learn a vocabulary of `size` pieces from the lines of a text.

    A character that occurs fewer than `rarest` times becomes `<unk>`: the text is split there.
    Raises ValueError when the text is empty, too long, or too short or plain for this size.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    common = common_lines(text, rarest)
    if not common or len(text) > LONGEST:
        raise ValueError(f"a text needs 1 to {LONGEST:,} characters, not {len(text):,}")
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    if rarest < 1 or not SPECIAL < size <= MOST_PIECES:
        raise ValueError(f"rarest must be at least 1 and size 4 to {MOST_PIECES:,}")
    written = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(common),
            model_writer=written,
            model_type=method,
            vocab_size=size,
            character_coverage=1.0,
            num_threads=1,
            minloglevel=3,
            split_digits=True,
        )
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    serialized = written.getvalue()
    processor = sentencepiece.SentencePieceProcessor(model_proto=serialized)
    counts = dict.fromkeys(range(processor.GetPieceSize()), 0)
    for line in lines:
        for id_ in processor.Encode(line):
            counts[id_] += 1
    pieces = (
        Learned(processor.IdToPiece(id_), count, processor.GetScore(id_))
        for id_, count in counts.items()
        if not (processor.IsControl(id_) or processor.IsUnknown(id_))
    )
    return Vocabulary(tuple(pieces), serialized)


def common_lines(text: str, rarest: int) -> list[str]:
    """Return the lines of a text, split at characters that occur fewer than `rarest` times."""
    counts = Counter(text)
    return [part for line in text.splitlines() for part in _without_rare(line, counts, rarest)]


def _without_rare(line: str, counts: Counter[str], rarest: int) -> list[str]:
    """Split a line at the characters that occur in a text fewer than `rarest` times."""
    common = "".join(character if counts[character] >= rarest else "\n" for character in line)
    return [part for part in common.split("\n") if part.strip()]


def bounds(text: str, method: Method, rarest: int) -> tuple[int, int]:
    """Return the smallest and largest possible vocabulary of this text; ValueError as above.

    SentencePiece names these bounds when it is asked for too few and too many pieces.
    """
    limits: list[int] = []
    for size, bound in ((SPECIAL + 1, r"\d vs (\d+)"), (MOST_PIECES, r"<= (\d+)")):
        try:
            learned(text, method, size, rarest)
            limits.append(size)
        except ValueError as error:
            if not (match := re.search(bound, str(error))):
                raise
            limits.append(int(match[1]))
    return limits[0], limits[1]
