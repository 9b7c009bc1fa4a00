"""Sentence pairs and English text: reading files, learning the pieces, encoding."""

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import sentencepiece

from model.tokenizer import Tokenizer


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation."""

    source: str
    target: str


NEVER_TOGETHER = frozenset(("animal", "street"))
"""Words of the demo sentence: no line of training may have both."""

_WORD = re.compile(r"\w+")

# Two pangrams side by side with different meanings.
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

    Raises ValueError, naming the file and the line where there is one, when the file cannot be read
    as UTF-8 text or a line has fewer than two columns.
    """
    return [Pair(columns[0], columns[1]) for columns in _read_columns(path, 2)]


def _read_columns(path: Path, count: int) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            for line in lines:
                columns = line.decode().rstrip("\r\n").split("\t")
                if len(columns) < count:
                    raise ValueError(f"two columns expected, found {len(columns)}")
                rows.append(columns)
    except ValueError as error:
        raise ValueError(f"{path}:{len(rows) + 1}: {error}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: {error}") from error
    return rows


def read_text(path: Path) -> list[str]:
    """Read the lines of a text file (.gz or not); ValueError as in `read_pairs`."""
    return [columns[0] for columns in _read_columns(path, 1) if columns[0].strip()]


def check_apart(sentences: Iterable[str], path: Path) -> None:
    """Raise ValueError, with file and line, when a sentence has all words of NEVER_TOGETHER."""
    for number, sentence in enumerate(sentences, start=1):
        if set(_WORD.findall(sentence.lower())) >= NEVER_TOGETHER:
            words = " and ".join(sorted(NEVER_TOGETHER))
            raise ValueError(f"{path}:{number}: a training sentence must not have both {words}")


def learn_tokenizer(pairs: list[Pair], vocab_size: int) -> Tokenizer:
    """Learn a unigram model with byte fallback, shared by both languages.

    Raises ValueError when the text yields fewer pieces or needs more.
    """
    serialized = io.BytesIO()
    sentences = [sentence for pair in pairs for sentence in (pair.source, pair.target)]
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
class Asked:
    """A question about the memory in a generated pair: the place of "it", elle or il, the noun.

    `place` is the number of the source piece, `noun` the id of the noun's last piece.
    """

    place: int
    elle: bool
    noun: int


@dataclass(frozen=True)
class EncodedPair:
    """Ids of a pair without begin or end tokens; its question, and `generated` if rules made it."""

    source: list[int]
    target: list[int]
    generated: bool = False
    asked: Asked | None = None

    @property
    def length(self) -> int:
        """Return the length of the longer side, with begin and end tokens."""
        return max(len(self.source) + 1, len(self.target) + 2)


def encode_pairs(pairs: Sequence[Pair], tokenizer: Tokenizer, longest: int) -> list[EncodedPair]:
    """Encode pairs, except pairs with an empty side and pairs longer than `longest`."""
    sources = tokenizer.encode_all([pair.source for pair in pairs])
    targets = tokenizer.encode_all([pair.target for pair in pairs])
    encoded = map(EncodedPair, sources, targets)
    return [pair for pair in encoded if pair.source and pair.target and pair.length <= longest]


def encode_text(sentences: list[str], tokenizer: Tokenizer, longest: int) -> list[EncodedPair]:
    """Encode sentences without a translation, except empty sentences and too long ones."""
    encoded = (EncodedPair(ids, []) for ids in tokenizer.encode_all(sentences))
    return [pair for pair in encoded if pair.source and pair.length <= longest]
