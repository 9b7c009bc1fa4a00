"""What a translation is unsure of, and the plain reasons for it."""

import pytest

from model.words import Word
from viz.compute import doubts, familiarity, runs
from viz.compute.doubts import Reason, reason, unsure

UGARITIC = "\U00010380"
"""A letter that has no piece in any model."""


def cut(*texts: str) -> list[Word]:
    """Make words of two pieces each."""
    return [Word(text, 2 * place, 2 * place + 1, True) for place, text in enumerate(texts)]


def test_words_below_the_limit_are_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(familiarity, "word_limit", lambda: 1.1)
    written = runs.run("Thank you.").translation.text
    assert list(unsure("Thank you.")) == written.rstrip(" .").split()
    monkeypatch.setattr(familiarity, "word_limit", lambda: 0.0)
    assert unsure("Thank you!") == ()


def test_another_language_is_told_and_the_model_that_reads_it_is_offered() -> None:
    assert reason("Ich habe heute keine Zeit.") == Reason("language")
    assert reason("Le chat est noir.") == Reason("language")
    assert reason("\u6211\u7231\u4f60\u3002") == Reason("language", better="zh-en")
    assert reason("What did she die of?") is None
    assert reason("The animal didn't cross the street because it was too tired.") is None


def test_characters_without_a_piece_are_named_and_left_out() -> None:
    assert reason(f"I love you {UGARITIC}.") == Reason("characters", UGARITIC, "I love you.")
    assert reason(f"{UGARITIC}!") == Reason("characters", UGARITIC, "")


def test_capitals_become_small_letters() -> None:
    text = "THE KITCHEN AND I ARE SHOUTING"
    found = doubts._capitals(text, cut("THE"))
    assert found
    assert (found.kind, found.better) == ("capitals", "The kitchen and I are shouting")
    encode = runs.translator().tokenizer.encode
    assert found.pieces == (len(encode(text)), len(encode(found.better)))
    assert found.pieces[0] > found.pieces[1]
    assert doubts._capitals("The UN is here", cut("UN")) is None
    assert doubts._capitals(text, []) is None


def test_capitals_are_no_reason_where_small_letters_are_cut_into_as_many_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runs.translator().tokenizer, "encode", lambda text: text.split())
    assert doubts._capitals("THE CAT IS HERE", cut("THE")) is None


def test_a_name_that_stands_in_the_translation_is_no_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doubts, "unsure", lambda _sentence: ())
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: Reason("name", "Tom"))
    assert reason("Yesterday I met Tom.") is None
    monkeypatch.setattr(doubts, "unsure", lambda _sentence: ("Tom",))
    assert doubts._unknown_name("Yesterday I met Tom.", [], []) == Reason("name", "Tom")


def test_words_one_letter_away_from_known_ones_are_taken_for_typing_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {"received": 1, "message": 2, "leave": 3, "leaver": 4}
    monkeypatch.setattr(doubts, "_known_words", lambda: known)
    text = "I recieved your mesage as he leaves."
    found = doubts._typing(text, cut("recieved", "mesage", "leaves"))
    assert found == Reason("typing", "recieved", "I received your message as he leaves.")


def test_a_name_within_the_sentence_is_named_and_not_its_first_word() -> None:
    words = cut("Marie", "Curie", "saw")
    assert doubts._name(words, words) == Reason("name", "Curie")
    assert doubts._name(words, words[:1]) is None


def test_months_and_weekdays_are_no_names() -> None:
    words = cut("We", "met", "July", "Saturdays")
    assert doubts._name(words, words) is None


def test_a_name_is_lost_if_it_is_cut_and_not_in_a_translation_with_unsure_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: Reason("name", "Zyx"))
    monkeypatch.setattr(doubts, "unsure", lambda _sentence: ("connais",))
    assert doubts.loses_name("I know Tom.")
    monkeypatch.setattr(doubts, "unsure", lambda _sentence: ())
    assert not doubts.loses_name("I see Tom.")
    monkeypatch.setattr(doubts, "unsure", lambda _sentence: ("vu",))
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: Reason("name", "Tom"))
    assert not doubts.loses_name("I saw Tom.")
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: None)
    assert not doubts.loses_name("I like Tom.")


def test_a_number_that_the_translation_has_otherwise_is_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentence = "The bridge cost 48271 dollars."
    monkeypatch.setattr(doubts, "wrong_number", lambda *_texts: ("48271", "4827"))
    assert reason(sentence) == Reason("number", "48271", written="4827")
