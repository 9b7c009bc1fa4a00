"""Pieces added to a finished tokenizer."""

import pytest

from model.checkpoints.checkpoint import load_checkpoint
from model.tokenizer import Tokenizer
from model.training.data.more_pieces import all_signs, more_pieces, with_pieces
from model.training.data.pairs import Pair
from model.training.generated.phrases import phrase_pairs
from model.training.generated.visitors import visitor_pairs


def sentences(pairs: list[Pair]) -> list[str]:
    return [text for pair in pairs for text in (pair.source, pair.target)]


SENTENCES = sentences([*visitor_pairs(3000, 1), *phrase_pairs(1000, 1)])


@pytest.fixture(scope="module")
def old() -> Tokenizer:
    return load_checkpoint("en-fr-dot").tokenizer  # en-fr has them already


@pytest.fixture(scope="module")
def new(old: Tokenizer) -> Tokenizer:
    return with_pieces(old, more_pieces(old, SENTENCES))


def tokens(tokenizer: Tokenizer, text: str) -> list[str]:
    return tokenizer.tokens(tokenizer.encode(text))


def test_old_ids_stay(old: Tokenizer, new: Tokenizer) -> None:
    ids = list(range(len(old)))
    assert len(new) > len(old)
    assert new.tokens(ids) == old.tokens(ids)
    assert [new.score(id_) for id_ in ids] == [old.score(id_) for id_ in ids]
    every = new.tokens(list(range(len(new))))
    assert len(set(every)) == len(every)


def test_every_sign_has_a_piece_and_is_written_back(old: Tokenizer, new: Tokenizer) -> None:
    for sign in all_signs():
        for text in (sign, f"a{sign}", f"a {sign} b", f"({sign})"):
            ids = new.encode(text)
            assert not any(map(new.is_byte, ids)), text
            assert new.decode(ids) == old.decode(old.encode(text))


def test_printable_ascii_and_what_the_normaliser_leaves_alone_come_back_exactly(
    new: Tokenizer,
) -> None:
    plain = [chr(code) for code in range(0x21, 0x7F)] + list("éàçÉœ€°“”«»—😂❤🙏")
    for sign in plain:
        assert new.decode(new.encode(f"x{sign} {sign}x")) == f"x{sign} {sign}x"


def test_ordinary_sentences_are_cut_as_before(old: Tokenizer, new: Tokenizer) -> None:
    ordinary = [
        text
        for text in SENTENCES
        if text[1:] == text[1:].lower() and not any(sign in text for sign in '"+=%')
    ]
    pairs = zip(old.encode_all(ordinary), new.encode_all(ordinary), strict=True)
    same = sum(before == after for before, after in pairs)
    assert len(ordinary) >= 5000
    assert same >= 0.999 * len(ordinary)


def test_words_in_capitals_and_after_brackets_are_cut_into_fewer_pieces(
    old: Tokenizer, new: Tokenizer
) -> None:
    for text in (
        "WHERE IS THE STREET?",
        "JE VEUX UN CHAT NOIR.",
        '"There is a dog."',
        "(your cat)",
    ):
        assert len(tokens(new, text)) < len(tokens(old, text))
    assert tokens(new, "THE MACHINE") == ["▁THE", "▁MACHINE"]
