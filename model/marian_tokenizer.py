"""The pieces of Marian models: SentencePiece cuts the text, a vocabulary of its own has the ids."""

from collections.abc import Mapping

from model.tokenizer import UNKNOWN, Piece, Segmentation, Tokenizer
from model.words import is_language, split_language


def check_vocabulary(vocabulary: Mapping[str, int]) -> None:
    """Raise ValueError unless the ids are 0, 1, 2 ... and the unknown piece is among them."""
    size = len(vocabulary)
    if {id_ for id_ in vocabulary.values() if type(id_) is int} != set(range(size)):
        raise ValueError(f"the ids of {size} pieces must be the numbers from 0 to {size - 1}")
    if UNKNOWN not in vocabulary:
        raise ValueError(f"the piece {UNKNOWN!r} is missing")


class MarianTokenizer(Tokenizer):
    """One side of a Marian model: SentencePiece cuts the text, `vocabulary` has each piece's id.

    Pieces outside the vocabulary are "<unk>". A target language at the start of a text, such as
    ">>fra<<", is one token.
    """

    def __init__(
        self,
        serialized: bytes,
        vocabulary: Mapping[str, int],
        pad_id: int,
        begin_id: int,
        end_id: int,
    ) -> None:
        """Load a SentencePiece model; ValueError when it is damaged or the ids have gaps."""
        super().__init__(serialized)
        self.pad_id, self.begin_id, self.end_id = pad_id, begin_id, end_id
        check_vocabulary(vocabulary)
        self._ids = dict(vocabulary)
        self._names = sorted(self._ids, key=self._ids.__getitem__)

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self._names)

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the target languages that a text can ask for, as tokens: ">>fra<<" and so on."""
        return tuple(name for name in self._names if is_language(name))

    def encode(self, text: str) -> list[int]:
        """Cut a text into ids, without begin or end token."""
        language, rest = split_language(text)
        cut: list[str] = self._processor.Encode(rest, out_type=str)
        return [self._id(token) for token in ([language] if language else []) + cut]

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        """Cut many texts at once."""
        return [self.encode(text) for text in texts]

    def decode(self, ids: list[int]) -> str:
        """Join ids into text; special tokens vanish."""
        special = {self.pad_id, self.begin_id, self.end_id}
        text: str = self._processor.DecodePieces(self.tokens([i for i in ids if i not in special]))
        return text.replace("\u2581", " ").strip()

    def token(self, id_: int) -> str:
        """Return the name of a piece; ValueError when there is no such id."""
        if not 0 <= id_ < len(self):
            raise ValueError(f"no piece has the id {id_}; there are {len(self)}")
        return self._names[id_]

    def id(self, token: str) -> int:
        """Return the id of a piece; ValueError when there is no such piece."""
        if token not in self._ids:
            raise ValueError(f"there is no piece {token!r}")
        return self._ids[token]

    def _id(self, token: str) -> int:
        return self._ids.get(token, self._ids[UNKNOWN])

    def _read(self, text: str) -> str:
        return text

    def pieces(self, text: str) -> list[Piece]:
        """Return the pieces of a text, each with its span `text[start:end]`."""
        language, rest = split_language(text)
        before = len(language)
        spans = [(language, 0, before)] if language else []
        spans += [(name, start + before, end + before) for name, start, end in self._spans(rest)]
        return [
            Piece(name, self._id(name), start, end, text[start:end]) for name, start, end in spans
        ]

    def segmentations(self, text: str, count: int) -> list[Segmentation]:
        """Return the `count` most probable ways to cut a text, without its language, best first.

        Models that merge pairs (BPE) have no probabilities: they return one way, of score 0.
        """
        rest = split_language(text)[1]
        try:
            return super().segmentations(rest, count)
        except RuntimeError:
            return [Segmentation(tuple(self._processor.Encode(rest, out_type=str)), 0.0)]
