import pytest

from model.words import find_word, word_numbers, words_of


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
        ("", []),
    ],
)
def test_pieces_make_words(tokens: str, expected: list[str]) -> None:
    assert texts(tokens) == expected


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
