"""The command that learns the pieces of a new pair of languages."""

import sys
from pathlib import Path

import pytest

from model.tokenizer import Tokenizer
from model.training import learn_pieces
from model.words import WORD_START

WORDS = ("天", "地", "人", "书", "水", "火", "山", "河", "猫", "狗")


DICTIONARY = "知道 100 v\n图书馆 9 n\n我爱你 9 v\n一个 900 m\n"


def test_pieces_are_words_and_signs_and_no_chinese_phrases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "new" / "tokenizer.model"
    lines = [f"我不知道{a}和{b}。\tI don't know {a} and {b}.\n" for a in WORDS for b in WORDS]
    pairs.write_text("".join(lines), encoding="utf-8")
    words = tmp_path / "dict.txt"
    words.write_text(DICTIONARY, encoding="utf-8")
    arguments = ["learn_pieces", str(pairs), "--size", "300", "--out", str(out)]
    arguments += ["--words", str(words)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert learn_pieces.main() == 0
    printed = capsys.readouterr().out
    tokenizer = Tokenizer.from_file(out)
    pieces = tokenizer.tokens(list(range(len(tokenizer))))
    assert f"{300 - int(printed.split('; ')[1].split()[0])} pieces" in printed
    chinese = {piece.removeprefix(WORD_START) for piece in pieces if not piece.isascii()}
    assert {piece for piece in chinese if len(piece) > 1} <= {"知道"}
    assert "我不知道" in "".join(tokenizer.tokens(tokenizer.encode(lines[0].split("\t")[0])))
    assert tokenizer.tokens(tokenizer.encode("x❤"))[-1].removeprefix(WORD_START) == "❤"


def test_too_few_sentences_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("你好。\tHello.\n", encoding="utf-8")
    words = tmp_path / "dict.txt"
    words.write_text(DICTIONARY, encoding="utf-8")
    arguments = ["learn_pieces", str(pairs), "--size", "9000", "--out", str(tmp_path / "x.model")]
    arguments += ["--words", str(words)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert learn_pieces.main() == 1
    assert "9000 pieces cannot be learned" in capsys.readouterr().err


def test_words_are_those_of_a_dictionary_without_phrases_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "dict.txt"
    path.write_text(DICTIONARY, encoding="utf-8")
    assert learn_pieces.read_words(path) == {"知道", "图书馆"}
    path.write_text("知道\n", encoding="utf-8")
    with pytest.raises(ValueError, match="lines of word, frequency and tag expected"):
        learn_pieces.read_words(path)
