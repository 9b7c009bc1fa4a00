import gzip
from pathlib import Path

import pytest

from model.tokenizer import Tokenizer
from model.training.data.pairs import (
    Pair,
    check_apart,
    encode_pairs,
    encode_text,
    learn_tokenizer,
    read_pairs,
    read_text,
)


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs.tsv.gz"])
def test_two_columns_are_read_and_more_are_left_out(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, "Hi.\tSalut !\nIt\u2028is.\tÇa\x85va.\tCC-BY\r\n".encode())
    assert read_pairs(path) == [Pair("Hi.", "Salut !"), Pair("It\u2028is.", "Ça\x85va.")]


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs.tsv.gz"])
def test_a_bad_line_is_named(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, b"a\tb\nc\td\nalone\n")
    with pytest.raises(ValueError, match=rf"{name}:3: two columns expected, found 1"):
        read_pairs(path)
    with pytest.raises(ValueError, match=rf"{name}:2: 'utf-8' codec"):
        read_pairs(write(path, b"a\tb\n\xff\td\n"))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "cut.tsv.gz", b"a\tb\n" * 500)
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(ValueError, match=r"cut\.tsv\.gz: "):
        read_pairs(path)
    path.write_bytes(b"plain\ttext\n")
    with pytest.raises(ValueError, match=r"cut\.tsv\.gz: "):
        read_pairs(path)
    with pytest.raises(ValueError, match=r"gone\.tsv: "):
        read_pairs(tmp_path / "gone.tsv")


def test_a_tokenizer_of_impossible_size_is_refused(pairs: list[Pair]) -> None:
    with pytest.raises(ValueError, match=r"8000 pieces cannot be learned: .* <= 341"):
        learn_tokenizer(pairs, 8000)


def test_learning_the_pieces_twice_gives_the_same(pairs: list[Pair], tokenizer: Tokenizer) -> None:
    assert learn_tokenizer(pairs, 340).serialized == tokenizer.serialized


def test_empty_and_overlong_pairs_are_left_out(tokenizer: Tokenizer) -> None:
    fits, too_long = "?" * 5, "?" * 6  # a piece for each, and one for the start of the word
    given = [Pair(fits, fits), Pair("", fits), Pair(fits, " "), Pair(fits, too_long)]
    length = len(tokenizer.encode(fits)) + 2
    assert len(encode_pairs(given, tokenizer, length)) == 1
    assert encode_pairs(given, tokenizer, length - 1) == []
    assert len(encode_pairs(given, tokenizer, length + 1)) == 2


def test_sentences_alone_are_read_a_line_each(tmp_path: Path) -> None:
    path = write(tmp_path / "text.txt.gz", "A dog runs.\n\nÇa\tx\n".encode())
    assert read_text(path) == ["A dog runs.", "Ça"]
    with pytest.raises(ValueError, match=r"text\.txt:2: 'utf-8' codec"):
        read_text(write(tmp_path / "text.txt", b"A dog.\n\xff\n"))


@pytest.mark.parametrize(
    "line",
    [
        "The animal didn't cross the street because it was too tired.",
        "STREET, then Animal!",
    ],
)
def test_a_line_with_both_words_of_the_demo_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "some.tsv"
    check_apart(["The animal sleeps.", "A street.", "streetcar animal"], path)
    with pytest.raises(ValueError, match=r"some\.tsv:3: .* not have both animal and street"):
        check_apart(["The animal sleeps.", "A street.", line], path)


def test_text_is_encoded_without_a_translation(tokenizer: Tokenizer) -> None:
    found = encode_text(["The cat", "", "The cat " * 20], tokenizer, 20)
    assert [tokenizer.decode(pair.source) for pair in found] == ["The cat"]
    assert found[0].target == []
