"""Words of a text, their pieces, and the alignment of words of two texts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from model.measures.head_roles import Links
from model.tokenizer import Piece
from model.training.data.pairs import Pair
from model.words import UNSPACED

_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+|[^\w\s]")


@dataclass(frozen=True)
class Word:
    """A word or punctuation mark and its span in the text."""

    text: str
    start: int
    end: int


def split_words(text: str) -> list[Word]:
    """Split a text into words and punctuation marks; without spaces each character is a word."""
    return [Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def words_of_pieces(pieces: Sequence[Piece], words: Sequence[Word]) -> list[int]:
    """Return each piece's word: the last word that starts before the piece ends.

    A piece without a word, such as a lone space, gets -1.
    """
    return [
        max(
            (
                n
                for n, word in enumerate(words)
                if word.start < piece.end and piece.start < word.end
            ),
            default=-1,
        )
        for piece in pieces
    ]


def align(pairs: Sequence[Pair], more: Sequence[Pair]) -> list[Links]:
    """Align the words of `pairs` with eflomal, learning from `more` pairs as well.

    Only links found in both directions are kept. Raises ValueError where eflomal is not
    installed (it needs a C compiler: pip install eflomal).
    """
    try:
        from eflomal import Aligner  # pyrefly: ignore[missing-import]
    except ImportError as error:
        raise ValueError("word alignment needs eflomal: pip install eflomal==2.0.0") from error
    all_pairs = [*pairs, *more]
    with TemporaryDirectory() as folder:
        forward, reverse = Path(folder, "forward"), Path(folder, "reverse")
        Aligner().align(
            [_spaced(pair.source) for pair in all_pairs],
            [_spaced(pair.target) for pair in all_pairs],
            links_filename_fwd=str(forward),
            links_filename_rev=str(reverse),
        )
        directions = zip(_links(forward), _links(reverse), strict=True)
        return [links & reversed_ for links, reversed_ in directions][: len(pairs)]


def _spaced(text: str) -> str:
    return " ".join(word.text for word in split_words(text)) + "\n"


def _links(path: Path) -> list[Links]:
    """Read Pharaoh format, one line of source-target pairs for each sentence."""
    return [
        frozenset((int(a), int(b)) for a, b in (link.split("-") for link in line.split()))
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]
    ]
