"""Marian's pieces: SentencePiece cuts, and a vocabulary of its own has the ids."""

import io

import pytest
import sentencepiece

from model.marian_tokenizer import MarianTokenizer
from model.tokenizer import UNKNOWN, Tokenizer
from model.words import WORD_START

TEXT = "The cat sleeps."


def ids_of(tokenizer: Tokenizer, *extra: str) -> dict[str, int]:
    """Number all pieces of a tokenizer from its last one, with a few more, one of them missing."""
    missing = tokenizer.tokens(tokenizer.encode("sleeps"))[-1]
    names = [name for name in map(tokenizer.token, range(len(tokenizer))) if name != missing]
    return {name: place for place, name in enumerate(reversed([*names, *extra]))}


@pytest.fixture
def marian(tokenizer: Tokenizer) -> MarianTokenizer:
    ids = ids_of(tokenizer, ">>fra<<", ">>deu<<")
    return MarianTokenizer(
        tokenizer.serialized, ids, pad_id=ids["<pad>"], begin_id=ids["<s>"], end_id=ids["</s>"]
    )


def test_ids_are_those_of_the_vocabulary(tokenizer: Tokenizer, marian: MarianTokenizer) -> None:
    ids = ids_of(tokenizer, ">>fra<<", ">>deu<<")
    cut = tokenizer.tokens(tokenizer.encode(TEXT))
    expected = [ids.get(name, ids[UNKNOWN]) for name in cut]
    assert ids[UNKNOWN] in expected
    assert marian.encode(TEXT) == expected
    assert marian.encode_all([TEXT, "", ">>fra<<"]) == [expected, [], [ids[">>fra<<"]]]
    assert marian.encode(">>deu<<" + TEXT) == [ids[">>deu<<"], *expected]
    assert marian.encode(">>ita<<" + TEXT) == [ids[UNKNOWN], *expected]
    assert len(marian) == len(ids)
    assert set(marian.languages) == {">>fra<<", ">>deu<<"}
    for name, id_ in ids.items():
        assert (marian.token(id_), marian.id(name)) == (name, id_)


def test_a_text_comes_back_without_special_tokens(marian: MarianTokenizer) -> None:
    ids = marian.encode("The cat.")
    assert marian.decode([marian.begin_id, *ids, marian.end_id, marian.pad_id]) == "The cat."
    assert WORD_START not in marian.decode([*ids, marian.id(WORD_START), *ids])
    assert marian.decode([*ids, *ids]) == "The cat. The cat."


def test_what_there_is_not_is_named(marian: MarianTokenizer) -> None:
    size = len(marian)
    for id_ in (-1, size):
        with pytest.raises(ValueError, match=f"^no piece has the id {id_}; there are {size}$"):
            marian.token(id_)
    with pytest.raises(ValueError, match=r"^there is no piece 'nothing'$"):
        marian.id("nothing")


def test_pieces_know_their_place_in_the_text(marian: MarianTokenizer) -> None:
    text = ">>fra<< The cat"
    pieces = marian.pieces(text)
    assert (pieces[0].token, pieces[0].start, pieces[0].end) == (">>fra<<", 0, 7)
    for piece in pieces:
        assert piece.id == marian.id(piece.token)
        assert piece.surface == text[piece.start : piece.end]
        assert piece.token.replace(WORD_START, " ") == piece.surface
    assert [piece.token for piece in marian.pieces("The cat")] == [
        piece.token for piece in pieces[1:]
    ]


def test_ways_to_cut_leave_the_language_out(tokenizer: Tokenizer, marian: MarianTokenizer) -> None:
    ways = marian.segmentations(f">>fra<<{TEXT}", 3)
    assert ways == tokenizer.segmentations(TEXT, 3)
    assert len(ways) == 3


def test_a_model_that_merges_pairs_cuts_in_one_way() -> None:
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter([TEXT] * 9),
        model_writer=written,
        model_type="bpe",
        vocab_size=40,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    merging = MarianTokenizer(written.getvalue(), {UNKNOWN: 0, "a": 1}, 0, 0, 0)
    (way,) = merging.segmentations(f">>fra<<{TEXT}", 5)
    assert "".join(way.tokens).replace(WORD_START, " ").strip() == TEXT
    assert all(isinstance(token, str) for token in way.tokens)
    assert way.score == 0


def test_a_vocabulary_that_does_not_count_from_zero_is_refused(tokenizer: Tokenizer) -> None:
    for wrong in ({UNKNOWN: 0, "a": 2}, {UNKNOWN: 0, "a": 0}, {UNKNOWN: 1, "a": 2}):
        with pytest.raises(
            ValueError, match=r"^the ids of 2 pieces must be the numbers from 0 to 1$"
        ):
            MarianTokenizer(tokenizer.serialized, wrong, 0, 0, 0)
    with pytest.raises(ValueError, match=r"^the piece '<unk>' is missing$"):
        MarianTokenizer(tokenizer.serialized, {"a": 0}, 0, 0, 0)
