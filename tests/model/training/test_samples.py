import pytest

from model.training.samples import (
    PARAGRAPH,
    VISITOR_SENTENCES,
    has_loop,
    is_right,
    sentences_of,
)


def test_there_are_twenty_four_sentences() -> None:
    assert len(VISITOR_SENTENCES) == 24


@pytest.mark.parametrize(
    ("english", "french", "right"),
    [
        ("I love you.", "Je t'aime.", True),
        ("I love you.", "Je vous aime !", True),
        ("I love you.", "J'aime.", False),
        ("What time is it?", "Quelle heure est-il ?", True),
        ("What time is it?", "Quel temps fait-il ?", False),
        ("Good morning!", "Bonjour", True),
        (
            "The animal didn't cross the street because it was too wide.",
            "L'animal n'a pas traversé la rue parce qu'elle était trop large.",
            True,
        ),
        (
            "The animal didn't cross the street because it was too wide.",
            "L'animal n'a pas traversé la rue parce qu'il était trop large.",
            False,
        ),
        ("Where is the train station?", "Où est la gare ?", True),
        ("Hello, how are you?", "Bonjour, comment êtes-vous ?", False),
        ("We are going to the beach tomorrow.", "Demain, nous irons à la plage.", True),
        ("We are going to the beach tomorrow.", "Demain, nous irons à la plagex", False),
    ],
)
def test_right_translations_are_told_from_wrong_ones(
    english: str, french: str, right: bool
) -> None:
    assert is_right(english, french) == right


def test_every_sentence_has_a_pattern_that_something_fits() -> None:
    assert not any(is_right(english, english) for english in VISITOR_SENTENCES)
    with pytest.raises(ValueError, match="no right translation is known of 'Boo'"):
        is_right("Boo", "Bou")


@pytest.mark.parametrize(
    ("pieces", "loop"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], False),
        ([1, 1, 1], False),
        ([9, 1, 1, 1, 1, 8], True),
        ([1, 2, 1, 2, 1, 2, 1], False),
        ([5, 1, 2, 1, 2, 1, 2, 1, 2], True),
        ([1, 2, 3, 4, 5, 6] * 4, True),
        ([1, 2, 3, 4, 5, 6] * 3, False),
        ([], False),
    ],
)
def test_a_loop_is_pieces_that_come_four_times_running(pieces: list[int], loop: bool) -> None:
    assert has_loop(pieces) == loop


def test_sentences_are_counted_by_their_ends() -> None:
    assert sentences_of(" ".join(PARAGRAPH)) == 3
    assert sentences_of("Bonjour ! Ça va ? ...") == 2
    assert sentences_of("sans fin") == 0
