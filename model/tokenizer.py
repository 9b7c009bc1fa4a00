"""SentencePiece pieces: text to ids and back, with a view that shows the work."""

from dataclasses import dataclass
from pathlib import Path

import sentencepiece

from model.words import SPECIAL_TOKENS, is_byte

UNKNOWN = SPECIAL_TOKENS[3]
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")


@dataclass(frozen=True)
class Piece:
    """One piece of a text: its id, its name ("▁animal") and the span of the text it covers."""

    token: str
    id: int
    start: int
    end: int
    surface: str


@dataclass(frozen=True)
class Segmentation:
    """One way to cut a text into pieces, with its log-probability under the unigram model."""

    tokens: tuple[str, ...]
    score: float


class Tokenizer:
    """A unigram SentencePiece model with byte fallback: it has pieces for every text.

    Typographic apostrophes count as straight ones, as in the training data. Raises ValueError
    when the bytes are not a SentencePiece model.
    """

    def __init__(self, serialized: bytes) -> None:
        """Load the model from its serialized form (the content of tokenizer.model)."""
        self._processor = sentencepiece.SentencePieceProcessor()
        try:
            self._processor.LoadFromSerializedProto(serialized)
        except RuntimeError as error:
            raise ValueError(f"not a SentencePiece model ({len(serialized)} bytes)") from error
        self.serialized = serialized
        self.pad_id: int = self._processor.pad_id()
        self.begin_id: int = self._processor.bos_id()
        self.end_id: int = self._processor.eos_id()

    @classmethod
    def from_file(cls, path: Path) -> "Tokenizer":
        """Load tokenizer.model; ValueError names the file when it is not one."""
        try:
            return cls(path.read_bytes())
        except (OSError, ValueError) as error:
            raise ValueError(f"{path}: {error}") from error

    def _read(self, text: str) -> str:
        """Return a text as SentencePiece receives it, of the same length."""
        return text.translate(_APOSTROPHES)

    def __len__(self) -> int:
        """Return the number of pieces."""
        return self._processor.GetPieceSize()

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the target languages that a token at the start of a text may ask for: none."""
        return ()

    def encode(self, text: str) -> list[int]:
        """Cut a text into ids, without begin or end token."""
        return self._processor.Encode(self._read(text))

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        """Cut many texts at once."""
        return self._processor.Encode([self._read(text) for text in texts])

    def decode(self, ids: list[int]) -> str:
        """Join ids into text; special tokens vanish, broken byte sequences become U+FFFD."""
        special = {self.pad_id, self.begin_id, self.end_id}
        return self._processor.Decode([int(id_) for id_ in ids if id_ not in special])

    def token(self, id_: int) -> str:
        """Return the text of the piece with an id; ValueError when there is no such id."""
        if not 0 <= id_ < len(self):
            raise ValueError(f"no piece has the id {id_}; there are {len(self)}")
        return self._processor.IdToPiece(int(id_))

    def tokens(self, ids: list[int]) -> list[str]:
        """Return the pieces of several ids."""
        return [self.token(id_) for id_ in ids]

    def id(self, token: str) -> int:
        """Look a piece up by its name; ValueError when there is no such piece."""
        id_ = self._processor.PieceToId(token)
        if self._processor.IdToPiece(id_) != token:
            raise ValueError(f"there is no piece {token!r}")
        return id_

    def is_unknown(self, id_: int) -> bool:
        """Tell whether a piece stands for unknown text; only Marian models have one."""
        return self.token(id_) == UNKNOWN

    def is_byte(self, id_: int) -> bool:
        """Tell whether the piece stands for one byte of a character that has no piece."""
        return is_byte(self.token(id_))

    def score(self, id_: int) -> float:
        """Return the log-probability of a piece under the unigram model; 0 for special ones."""
        return self.score_of(self.token(id_))

    def score_of(self, token: str) -> float:
        """Return the log-probability of a piece by its name; 0 for a missing piece."""
        own = self._processor.PieceToId(token)
        return self._processor.GetScore(own) if self._processor.IdToPiece(own) == token else 0.0

    def rare_score(self) -> float:
        """Return the score that each character without a piece adds to a segmentation.

        SentencePiece counts it as an unknown piece, ten below the least probable one.
        """
        return min(map(self._processor.GetScore, range(self._processor.GetPieceSize()))) - 10

    def pieces(self, text: str) -> list[Piece]:
        """Return the pieces of a text, each with its span `text[start:end]`.

        If a character is spelt in bytes, all of them have the span of that character.
        """
        spans = self._spans(self._read(text))
        return [
            Piece(token, self.id(token), start, end, text[start:end]) for token, start, end in spans
        ]

    def _spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the pieces of a text as SentencePiece cuts it, with the start and end of each."""
        encoded = text.encode()
        proto = self._processor.Encode(text, return_type="proto")
        spans: list[tuple[str, int, int]] = []
        ends = [len(encoded[: piece.end].decode(errors="ignore")) for piece in proto.pieces]
        start = 0
        for index, (piece, end) in enumerate(zip(proto.pieces, ends, strict=True)):
            if self._processor.IsByte(piece.id):  # SentencePiece gives the span to the last byte
                end = next(later for later in ends[index:] if later > start)
            spans.append((piece.piece, start, end))
            start = ends[index]
        return spans

    def segmentations(self, text: str, count: int) -> list[Segmentation]:
        """Return the `count` most probable ways to cut a text, best first."""
        # Asked for only one, SentencePiece gives it the score 0.
        proto = self._processor.NBestEncode(
            self._read(text), nbest_size=max(count, 2), return_type="proto"
        )
        return [
            Segmentation(tuple(piece.piece for piece in best.pieces), best.score)
            for best in proto.nbests[:count]
        ]
