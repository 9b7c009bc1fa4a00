"""The types of pieces in a sentence (special, byte, mark, part of a word), and their words."""

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher

SPECIAL_TOKENS = ("<pad>", "<s>", "</s>", "<unk>")
"""Padding, begin, end and unknown, by their ids."""

WORD_START = "\u2581"
"""The sign for the space before a word."""

Span = tuple[int, int]
"""The first and last piece."""


def clean(text: str) -> str:
    """Drop control, format and surrogate characters and fold white space."""
    kept = (
        character
        for character in text
        if character.isspace() or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Cn"}
    )
    return " ".join("".join(kept).split())


_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
UNSPACED = r"\u2e80-\u2fdf\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of scripts without spaces, for a class of a regular expression."""

_HAS_UNSPACED = re.compile(f"[{UNSPACED}]")
_PART = re.compile(rf"\s*(?:[{UNSPACED}]|[^\s{UNSPACED}]+)")
_APOSTROPHE = "'"
_JOINERS = frozenset("'-")
_ENGLISH_ENDINGS = frozenset(("t", "s", "d", "m", "ll", "re", "ve"))


def is_special(token: str) -> bool:
    """Tell whether a token has no text: padding, begin, end, unknown or a language."""
    return token in SPECIAL_TOKENS or is_language(token)


def is_language(token: str) -> bool:
    """Tell whether a token asks a model of several languages for one of them: ">>fra<<"."""
    return token.startswith(">>") and token.endswith("<<")


def split_language(text: str) -> tuple[str, str]:
    """Split off a target language at the start: ">>fra<< Hello" is (">>fra<<", " Hello")."""
    end = text.find("<<") + len("<<")
    return (text[:end], text[end:]) if text.startswith(">>") and end > 1 else ("", text)


def is_byte(token: str) -> bool:
    """Tell whether a piece is one byte of a character that has no piece."""
    return _BYTE.fullmatch(token) is not None


def is_mute(token: str) -> bool:
    """Tell whether a piece has no text of its own: a special token or a byte."""
    return is_special(token) or is_byte(token)


def is_unspaced(text: str) -> bool:
    """Tell whether a text has characters of a script without spaces: Chinese, or Japanese kana."""
    return _HAS_UNSPACED.search(text) is not None


def parted(text: str) -> list[str]:
    """Cut a text at its spaces, and around every character of a script without spaces.

    Each part keeps the spaces before it, so joining all of them gives the text.
    """
    return _PART.findall(text)


def words_changed(before: str, after: str) -> int:
    """Return the number of words that differ between two texts: others, lost or new.

    What stands between the same words counts, and not what is only further to the left or right.
    """
    first, second = (re.findall(r"\w+", text) for text in (before, after))
    parts = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return sum(max(end - at, last - to) for tag, at, end, to, last in parts if tag != "equal")


def is_punctuation(token: str) -> bool:
    """Tell whether a piece has text but no letter or digit."""
    text = token.removeprefix(WORD_START)
    return bool(text) and not any(character.isalnum() for character in text)


@dataclass(frozen=True)
class Word:
    """A word as people write it, its first and last piece, and whether a space comes before it."""

    text: str
    first: int
    last: int
    spaced: bool


def words_of(tokens: Sequence[str]) -> list[Word]:
    """Group pieces into words.

    Words end at spaces and punctuation. Hyphens join. An apostrophe ends a French word (l' | eau)
    but not an English one (did n ' t). Special tokens and marks stand alone. A Chinese text has no
    spaces: each of its pieces is a word. The bytes of a character are read as that character.
    """
    said = _with_characters(tokens)
    starts = [
        position
        for position, token in enumerate(said)
        if position == 0 or (token and _starts_word(_last(said[:position]), token))
    ]
    ends = [*starts[1:], len(tokens)] if starts else []
    return [
        Word(
            "".join(said[start:end]).replace(WORD_START, " ").strip(),
            start,
            end - 1,
            tokens[start].startswith(WORD_START),
        )
        for start, end in zip(starts, ends, strict=True)
    ]


def _with_characters(tokens: Sequence[str]) -> list[str]:
    """Replace the first of its bytes by the character, and the others by nothing.

    Bytes that make no character stay unchanged.
    """
    said, start = list(tokens), 0
    while start < len(said):
        first = _BYTE.fullmatch(said[start])
        lead = int(first[1], 16) if first else 0
        length = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 1
        codes = [_BYTE.fullmatch(token) for token in said[start : start + length]]
        data = bytes(int(one[1], 16) for one in codes if one)
        if first and len(data) == length:
            with suppress(UnicodeDecodeError):
                said[start : start + length] = [data.decode(), *[""] * (length - 1)]
        start += length
    return said


def _last(said: Sequence[str]) -> str:
    return next(token for token in reversed(said) if token)


def find_word(words: Sequence[Word], text: str) -> Word:
    """Return the last word with this text, ignoring case; ValueError when there is none."""
    alike = [word for word in words if word.text.lower() == text.lower()]
    if not alike:
        raise ValueError(f"no word {text!r} in: {' '.join(word.text for word in words)}")
    return alike[-1]


def between_spaces(tokens: Sequence[str]) -> list[Span]:
    """Group pieces only by spaces: a mark belongs to the word before. Special tokens start one.

    Where a script has no spaces, each piece is a group. Measures that leave words out use these
    groups.
    """
    said = _with_characters(tokens)
    starts = [
        position
        for position, token in enumerate(said)
        if position == 0
        or token.startswith(WORD_START)
        or is_special(token)
        or _follows_unspaced(_last(said[:position]), token)
    ]
    ends = [start - 1 for start in starts[1:]] + [len(tokens) - 1]
    return list(zip(starts, ends, strict=True)) if tokens else []


def word_numbers(tokens: Sequence[str]) -> list[int]:
    """Return the number of the word of each piece: 0, 0, 1, ..."""
    words = enumerate(words_of(tokens))
    return [number for number, word in words for _piece in range(word.first, word.last + 1)]


def _follows_unspaced(previous: str, token: str) -> bool:
    """Tell whether a piece begins a word because it or the one before has no spaces."""
    if not token or is_punctuation(token) or previous == WORD_START:
        return False
    return is_unspaced(token) or is_unspaced(previous)


def _starts_word(previous: str, token: str) -> bool:
    if token.startswith(WORD_START) or is_special(token) or is_special(previous):
        return True
    if previous == WORD_START or token in _JOINERS:
        return False
    if _follows_unspaced(previous, token):
        return True
    if previous.endswith(_APOSTROPHE):
        return token not in _ENGLISH_ENDINGS
    separated = is_punctuation(token) or is_punctuation(previous)
    return separated and previous not in _JOINERS
