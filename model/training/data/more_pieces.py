"""More pieces for a finished SentencePiece model: signs, emoji, capitals, words after a bracket.

All ids of the old pieces stay, and ordinary text is cut as before: a new piece is used where the
old ones cut a sign into bytes, a word in capitals into letters, or a word after a bracket or quote
into parts.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sentencepiece import sentencepiece_model_pb2 as proto

from model.tokenizer import Tokenizer
from model.training.generated.tables import rows
from model.words import WORD_START

Kind = Literal["sign", "capitals", "title", "inner"]

SYMBOLS = "symbols.tsv"
"""The table of typographic signs and emoji: a kind, an old piece used like them, the signs."""

CAPITALS, TITLES, INNER = 1600, 700, 700
"""The most new pieces of each kind, for the commonest words."""

TOLERATED = 2.5e-6
"""The share of ordinary words in the sentences whose cut a single new piece may change."""

_ASCII, _LATIN_1 = range(0x21, 0x7F), range(0xA1, 0x100)
_SIGN_SCORE = -15.5


@dataclass(frozen=True)
class NewPiece:
    """A piece to be added: its name, its kind and its log-probability."""

    token: str
    kind: Kind
    score: float


def all_signs() -> list[str]:
    """List printable ASCII and Latin-1, typographic signs, emoji and their modifiers."""
    tabled = [sign for row in rows(SYMBOLS) for sign in row["signs"].split(" ")]
    return list(dict.fromkeys((*map(chr, (*_ASCII, *_LATIN_1)), *tabled)))


def signs_of(kind: str) -> list[str]:
    """List the signs of a kind named in the table: emoji, money, dash."""
    return next(row["signs"].split(" ") for row in rows(SYMBOLS) if row["kind"] == kind)


def like_which(sign: str) -> str:
    """Return an old piece that is used like this sign, or ""."""
    return next((row["like"] for row in rows(SYMBOLS) if sign in row["signs"].split(" ")), "")


def more_pieces(tokenizer: Tokenizer, sentences: Iterable[str]) -> list[NewPiece]:
    """Choose new pieces for a tokenizer: forms of what is common in ordinary sentences.

    Pieces that would change the cut of more than TOLERATED of the ordinary words are left out.
    """
    words = Counter(word for sentence in sentences for word in sentence.split())
    ordinary = Counter({word: count for word, count in words.items() if _is_ordinary(word)})
    candidates = [*missing_signs(tokenizer), *_words(tokenizer, ordinary)]
    while unwanted := _changing(tokenizer, candidates, ordinary):
        candidates = [piece for piece in candidates if piece.token not in unwanted]
    limits = {"sign": len(candidates), "capitals": CAPITALS, "title": TITLES, "inner": INNER}
    numbers: Counter[Kind] = Counter()
    pieces: list[NewPiece] = []
    for piece in candidates:
        numbers[piece.kind] += 1
        if numbers[piece.kind] <= limits[piece.kind]:
            pieces.append(piece)
    return pieces


def _is_ordinary(word: str) -> bool:
    bare = word.strip(".,!?;:")
    letters = bare.replace("'", "").replace("-", "")
    return letters.isalpha() and bare[1:] == bare[1:].lower()


def with_pieces(tokenizer: Tokenizer, pieces: Sequence[NewPiece]) -> Tokenizer:
    """Return the tokenizer with these pieces added at the end; old ids stay the same."""
    model = proto.ModelProto()  # pyrefly: ignore[missing-attribute]
    model.ParseFromString(tokenizer.serialized)
    for piece in pieces:
        model.pieces.add(piece=piece.token, score=piece.score)
    model.trainer_spec.vocab_size = len(model.pieces)
    return Tokenizer(model.SerializeToString())


def missing_signs(tokenizer: Tokenizer) -> list[NewPiece]:
    """List the characters without a piece, in their normalised form."""
    known = _tokens(tokenizer)
    left = "".join(tokenizer.decode(tokenizer.encode(f"x{sign}")) for sign in all_signs())
    names = [character for character in dict.fromkeys(left) if character.strip()]
    names += [WORD_START + sign for sign in signs_of("word start")]
    return [NewPiece(name, "sign", _SIGN_SCORE) for name in names if name not in known]


def _words(tokenizer: Tokenizer, ordinary: Counter[str]) -> list[NewPiece]:
    """List new forms of the commonest words and parts of words."""
    known = _tokens(tokenizer)
    counts: Counter[str] = Counter()
    for ids, count in zip(tokenizer.encode_all(list(ordinary)), ordinary.values(), strict=True):
        counts.update(dict.fromkeys(tokenizer.tokens(ids), count))
    new_forms: dict[str, NewPiece] = {}
    for old, _ in counts.most_common():
        bare = old.removeprefix(WORD_START)
        if len(bare) < 2 or not bare.isalpha():
            continue
        start = old[: len(old) - len(bare)]
        forms: list[tuple[Kind, str]] = [("capitals", start + bare.upper())]
        if start:
            forms += [("title", start + bare.capitalize()), ("inner", bare)]
        for kind, name in forms:
            if name not in known and name not in new_forms:
                new_forms[name] = NewPiece(name, kind, _score(tokenizer, kind, old))
    return list(new_forms.values())


def _score(tokenizer: Tokenizer, kind: Kind, old: str) -> float:
    """Return the score of a new form of an old piece.

    A word after a bracket is scarcely likelier than its parts, so longer words keep their parts.
    """
    if kind != "inner":
        return tokenizer.score_of(old) - 1
    parts = tokenizer.tokens(tokenizer.encode(f'"{old.removeprefix(WORD_START)}'))[1:]
    return sum(map(tokenizer.score_of, parts)) + 0.01


def _changing(tokenizer: Tokenizer, pieces: Sequence[NewPiece], ordinary: Counter[str]) -> set[str]:
    """Return the pieces that change the cut of ordinary words too often."""
    names = {piece.token for piece in pieces if piece.kind != "sign"}
    longer = with_pieces(tokenizer, pieces)
    changed: Counter[str] = Counter()
    for ids, count in zip(longer.encode_all(list(ordinary)), ordinary.values(), strict=True):
        changed.update(dict.fromkeys(names.intersection(longer.tokens(ids)), count))
    return {name for name, count in changed.items() if count > TOLERATED * ordinary.total()}


def _tokens(tokenizer: Tokenizer) -> set[str]:
    return set(tokenizer.tokens(list(range(len(tokenizer)))))
