"""The pieces of Marian models: SentencePiece cuts the text, a vocabulary of its own has the ids."""

import re
from collections.abc import Iterator, Mapping, Sequence

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
    ">>fra<<", is one token, and so is each of `added` anywhere in a text.
    """

    def __init__(
        self,
        serialized: bytes,
        vocabulary: Mapping[str, int],
        pad_id: int,
        begin_id: int,
        end_id: int,
        added: Sequence[str] = (),
    ) -> None:
        """Load a SentencePiece model; ValueError when it is damaged or the ids have gaps."""
        super().__init__(serialized)
        self.pad_id, self.begin_id, self.end_id = pad_id, begin_id, end_id
        check_vocabulary(vocabulary)
        self._ids = dict(vocabulary)
        self.added = tuple(added)
        longest_first = sorted(filter(None, added), key=len, reverse=True)
        self._added = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
        self._names = sorted(self._ids, key=self._ids.__getitem__)

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self._names)

    @property
    def cut_ids(self) -> frozenset[int]:
        """Return the ids of the pieces that SentencePiece cuts, as far as they have one here."""
        names = map(self._processor.IdToPiece, range(len(self._processor)))
        return frozenset(self._ids[name] for name in names if name in self._ids)

    @property
    def known_pieces(self) -> tuple[int, int]:
        """Count SentencePiece's pieces that have an id here, and all of them."""
        return len(self.cut_ids), len(self._processor)

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the target languages that a text can ask for, as tokens: ">>fra<<" and so on."""
        return tuple(name for name in self._names if is_language(name))

    def encode(self, text: str) -> list[int]:
        """Cut a text into ids, without begin or end token."""
        cut: list[str] = []
        for part, _start, whole in self._parts(text):
            cut += [part] if whole else self._processor.Encode(part, out_type=str)
        return [self._id(token) for token in cut]

    def _parts(self, text: str) -> Iterator[tuple[str, int, bool]]:
        """Yield the parts of a text with their starts, and whether each is one whole token."""
        language, _rest = split_language(text)
        if language:
            yield language, 0, True
        start = len(language)
        for added in self._added.finditer(text, start):
            yield text[start : added.start()], start, False
            yield added[0], added.start(), True
            start = added.end()
        yield text[start:], start, False

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
        spans: list[tuple[str, int, int]] = []
        for part, before, whole in self._parts(text):
            cut = [(part, 0, len(part))] if whole else self._spans(part)
            spans += [(name, start + before, end + before) for name, start, end in cut]
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
