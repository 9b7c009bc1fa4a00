import unicodedata
from pathlib import Path

import pytest

from model.tokenizer import Tokenizer
from model.training.data.pairs import Pair
from model.words import SPECIAL_TOKENS

ODD = [
    "Où est l'été à Noël ?",
    "a fox \N{FOX FACE} and a family \N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}",
    "动物没有过马路\uff0c它太累了。",
    "لم يعبر الحيوان الشارع",
    "<script>alert(1)</script>",
    "<pad> <s> </s> <unk>",
    "a\x00b",
    "e\u0301te\u0301",
    "x² ½ € ﬁne",
    "▁under▁",
]


def test_known_sentences_come_back_unchanged(tokenizer: Tokenizer, pairs: list[Pair]) -> None:
    for pair in pairs:
        assert tokenizer.decode(tokenizer.encode(pair.source)) == pair.source
        assert tokenizer.decode(tokenizer.encode(pair.target)) == pair.target


@pytest.mark.parametrize("text", ODD)
def test_every_text_comes_back_up_to_nfkc_and_nothing_is_unknown(
    tokenizer: Tokenizer, text: str
) -> None:
    ids = tokenizer.encode(text)
    special = [SPECIAL_TOKENS.index(name) for name in SPECIAL_TOKENS]
    assert not set(ids) & set(special)
    expected = unicodedata.normalize("NFKC", text).replace("▁", " ").strip()
    assert tokenizer.decode(ids) == expected


def test_control_characters_are_left_out(tokenizer: Tokenizer) -> None:
    assert tokenizer.decode(tokenizer.encode("a\x07b\x1b[0m")) == "ab[0m"


def test_typographic_apostrophes_count_as_straight_ones(tokenizer: Tokenizer) -> None:
    straight = tokenizer.encode("it didn't, 'he' said")
    assert tokenizer.encode("it didn\u2019t, \u2018he\u2019 said") == straight
    assert tokenizer.encode_all(["it didn\u02bct, 'he' said"]) == [straight]


@pytest.mark.parametrize("text", ["The cat sleeps.", " wide  space ", "it\u2019s", "a\x07b", *ODD])
def test_spans_run_through_the_whole_text(tokenizer: Tokenizer, text: str) -> None:
    pieces = tokenizer.pieces(text)
    assert [piece.id for piece in pieces] == tokenizer.encode(text)
    assert [piece.token for piece in pieces] == tokenizer.tokens(tokenizer.encode(text))
    assert all(piece.surface == text[piece.start : piece.end] for piece in pieces)
    covered = 0
    for piece in pieces:
        assert piece.start <= covered <= piece.end
        covered = piece.end
    assert covered == len(text.rstrip(" ▁"))


def test_a_known_piece_covers_its_own_letters(tokenizer: Tokenizer) -> None:
    for piece in tokenizer.pieces("The cat, Noël \N{FOX FACE} sleeps."):
        if not tokenizer.is_byte(piece.id):
            assert piece.surface.strip() == piece.token.replace("▁", " ").strip()


def test_the_bytes_of_one_character_share_its_span(tokenizer: Tokenizer) -> None:
    fox = [piece for piece in tokenizer.pieces("a \N{FOX FACE}!") if tokenizer.is_byte(piece.id)]
    foxes = [piece for piece in fox if piece.surface == "\N{FOX FACE}"]
    assert [piece.token for piece in foxes] == ["<0xF0>", "<0x9F>", "<0xA6>", "<0x8A>"]
    assert {(piece.start, piece.end) for piece in foxes} == {(2, 3)}


def test_special_tokens_vanish_and_broken_bytes_show(tokenizer: Tokenizer) -> None:
    ids = [tokenizer.begin_id, *tokenizer.encode("The cat"), tokenizer.end_id, tokenizer.pad_id]
    assert tokenizer.decode(ids) == "The cat"
    *half_a_fox, last = tokenizer.encode("\N{FOX FACE}")
    assert "\ufffd" in tokenizer.decode(half_a_fox)
    assert tokenizer.decode([*half_a_fox, tokenizer.begin_id, last]) == "\N{FOX FACE}"


def test_special_tokens_have_the_ids_of_the_config(tokenizer: Tokenizer) -> None:
    assert tokenizer.tokens([0, 1, 2, 3]) == list(SPECIAL_TOKENS)
    assert (tokenizer.pad_id, tokenizer.begin_id, tokenizer.end_id) == (0, 1, 2)
    assert [id_ for id_ in range(len(tokenizer)) if tokenizer.is_unknown(id_)] == [3]


@pytest.mark.parametrize("id_", [-1, 340, 10**12])
def test_an_id_without_a_piece_is_named(tokenizer: Tokenizer, id_: int) -> None:
    with pytest.raises(ValueError, match=f"no piece has the id {id_}; there are 340"):
        tokenizer.token(id_)


def test_other_segmentations_spell_the_same_text_and_come_best_first(tokenizer: Tokenizer) -> None:
    found = tokenizer.segmentations("The animal", 5)
    assert len({way.tokens for way in found}) == 5
    assert {"".join(way.tokens) for way in found} == {"▁The▁animal"}
    assert [way.score for way in found] == sorted((way.score for way in found), reverse=True)
    assert list(found[0].tokens) == tokenizer.tokens(tokenizer.encode("The animal"))
    assert tokenizer.segmentations("The animal", 1) == found[:1]


def test_nothing_has_no_pieces(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("") == tokenizer.pieces("") == tokenizer.encode(" \t ") == []
    assert tokenizer.decode([]) == ""


def test_a_file_that_is_no_tokenizer_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    for content in (b"not a model", b""):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"tokenizer\.model: not a SentencePiece model"):
            Tokenizer.from_file(path)
    with pytest.raises(ValueError, match=r"gone\.model"):
        Tokenizer.from_file(tmp_path / "gone.model")
