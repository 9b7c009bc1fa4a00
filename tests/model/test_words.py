import pytest

from model.tokenizer import Tokenizer
from model.words import (
    SPECIAL_TOKENS,
    between_spaces,
    clean,
    find_word,
    is_byte,
    is_language,
    is_mute,
    is_punctuation,
    is_unspaced,
    parted,
    split_language,
    word_numbers,
    words_changed,
    words_of,
)


def texts(tokens: str) -> list[str]:
    return [word.text for word in words_of(tokens.split())]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("▁did n ' t ▁cross", ["didn't", "cross"]),
        ("▁parce ▁qu ' il ▁était", ["parce", "qu'", "il", "était"]),
        ("▁be cause ▁tired . </s>", ["because", "tired", ".", "</s>"]),
        ("<s> ▁L ' animal", ["<s>", "L'", "animal"]),
        ("▁well - known ,", ["well-known", ","]),
        ("▁我 昨天 去 学校 。 </s>", ["我", "昨天", "去", "学校", "。", "</s>"]),
        ("▁我 用 ▁P y th on ▁ 写 程 序 !", ["我", "用", "Python", "写", "程", "序", "!"]),
        ("▁他 说 : 「 今 天 」", ["他", "说", ":", "「", "今", "天", "」"]),
        ("▁ <0xE9> <0xBE> <0x98> 是 <0xE8> <0xAA> <0xAA>", ["龘", "是", "說"]),
        ("▁ <0xF0> <0x9F> <0x90> <0xB1> <0xF1> <0x80> <0x80> <0x80>", ["🐱", "\U00040000"]),
        ("▁a <0xE0> <0xA4> <0x85> <0xC2> <0xA9> b", ["aअ", "©", "b"]),
        ("▁a <0xC0> <0x80> b <0xE1> <0x80> <0x80>", ["a<0xC0><0x80>bက"]),
        ("▁ca f <0xC3> <0xA9> s ▁an <0xE2>", ["cafés", "an<0xE2>"]),
        ("<0xC3> <0xA9> t <0xC3> <0xA9>", ["été"]),
        ("▁中 文 a b 字", ["中", "文", "ab", "字"]),
        ("", []),
    ],
)
def test_pieces_make_words(tokens: str, expected: list[str]) -> None:
    assert texts(tokens) == expected


@pytest.mark.parametrize(
    ("text", "language", "rest"),
    [
        (">>fra<< Hello", ">>fra<<", " Hello"),
        (">>fra<< a << b", ">>fra<<", " a << b"),
        (">><< a", ">><<", " a"),
        ("a >>fra<< b", "", "a >>fra<< b"),
        ("a << b", "", "a << b"),
        (">> a", "", ">> a"),
    ],
)
def test_a_language_stands_only_at_the_start(text: str, language: str, rest: str) -> None:
    assert split_language(text) == (language, rest)
    assert is_language(language) == bool(language)


def test_only_a_whole_mark_is_a_language() -> None:
    assert [is_language(token) for token in (">>fra<<", ">>fra", "fra<<", "<<")] == [
        True, False, False, False,
    ]  # fmt: skip


def test_an_unassigned_character_is_dropped() -> None:
    assert clean("a\u0378b") == "ab"


def test_a_special_token_ends_a_word_wherever_it_stands() -> None:
    assert texts("▁a </s> b") == ["a", "</s>", "b"]
    assert texts("<s> b c </s>") == ["<s>", "bc", "</s>"]


def test_every_piece_is_in_exactly_one_word_and_spaces_are_known() -> None:
    tokens = ["▁I", "'", "m", "▁here", ",", "▁l", "'", "eau", "▁est", "▁b", "leue", "!", "</s>"]
    words = words_of(tokens)
    assert [place for word in words for place in range(word.first, word.last + 1)] == [
        *range(len(tokens))
    ]
    assert [word.spaced for word in words] == [
        token.startswith("▁") for token in (tokens[word.first] for word in words)
    ]


def test_the_last_word_of_a_name_is_found_in_any_case() -> None:
    words = words_of(["▁The", "▁cat", "▁saw", "▁the", "▁cat", ".", "</s>"])
    assert find_word(words, "Cat").first == 4
    with pytest.raises(ValueError, match="no word 'dog'"):
        find_word(words, "dog")


def test_pieces_know_the_number_of_their_word() -> None:
    assert word_numbers(["▁be", "cause", "▁tired", ".", "</s>"]) == [0, 0, 1, 2, 3]
    assert word_numbers([]) == []


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (".", True),
        ("▁!", True),
        ("▁(", True),
        ("'", True),
        ("▁a", False),
        ("▁it's", False),
        ("7", False),
        ("▁", False),
        *((token, False) for token in SPECIAL_TOKENS),
        ("<0xE2>", False),
    ],
)
def test_punctuation_has_text_but_no_letter_or_digit(token: str, expected: bool) -> None:
    assert is_punctuation(token) == expected


def test_a_byte_is_one_by_its_name_and_by_the_tokenizer(tokenizer: Tokenizer) -> None:
    ids = range(len(tokenizer))
    by_name = [id_ for id_ in ids if is_byte(tokenizer.token(id_))]
    assert by_name == [id_ for id_ in ids if tokenizer.is_byte(id_)]
    assert len(by_name) == 256


def test_what_is_no_text_by_itself_is_special_or_a_byte() -> None:
    assert [is_mute(token) for token in ("</s>", "<0x0A>", "<0x", "▁<", "<b>")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_between_spaces_a_mark_belongs_to_the_word_before_it() -> None:
    tokens = ["▁The", "▁an", "im", "al", "<0xE2>", "</s>"]
    assert between_spaces(tokens) == [(0, 0), (1, 4), (5, 5)]
    assert between_spaces(["▁tired", ".", "</s>"]) == [(0, 1), (2, 2)]
    assert between_spaces([]) == []


def test_without_spaces_every_piece_is_a_group_and_bytes_are_their_character() -> None:
    tokens = ["▁我", "爱", "自然", ",", "<0xE9>", "<0xBE>", "<0x98>", "。", "</s>"]
    assert between_spaces(tokens) == [(0, 0), (1, 1), (2, 3), (4, 7), (8, 8)]
    assert word_numbers(tokens) == [0, 1, 2, 3, 4, 4, 4, 5, 6]
    assert find_word(words_of(tokens), "龘").first == 4


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The cat  sleeps.", ["The", " cat", "  sleeps."]),
        ("我爱 NLP, 你呢?", ["我", "爱", " NLP,", " 你", "呢", "?"]),
        ("", []),
    ],
)
def test_a_text_is_parted_without_losing_anything(text: str, parts: list[str]) -> None:
    assert parted(text) == parts
    assert "".join(parts) == text
    assert is_unspaced(text) == ("我" in text)


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("L'animal n'a pas traversé la rue.", 0),
        ("L'animal a traversé la rue.", 2),  # "n" and "pas", and not all that follows
        ("L'animal n'a pas traversé la route.", 1),
        ("Hier l'animal n'a pas traversé la rue.", 2),
        ("", 8),
    ],
)
def test_words_are_counted_where_they_differ(after: str, count: int) -> None:
    assert words_changed("L'animal n'a pas traversé la rue.", after) == count
