"""What a translation is unsure of, and the plain reasons for it."""

import pytest

from model.words import Word, words_of
from viz.compute import doubts, familiarity, runs
from viz.compute.doubts import Reason, reason, unsure

UGARITIC = "\U00010380"
"""A letter that has no piece in any model."""


def cut(*texts: str) -> list[Word]:
    """Make words of two pieces each."""
    return [Word(text, 2 * place, 2 * place + 1, True) for place, text in enumerate(texts)]


def test_words_below_the_limit_are_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(familiarity, "word_limit", lambda: 1.1)
    sure, doubted = "The lamp is new.", "The lamp is old."  # in no other test: answers are kept
    written = runs.run(doubted).translation.text
    assert list(unsure(doubted)) == written.rstrip(" .").split()
    monkeypatch.setattr(familiarity, "word_limit", lambda: 0.0)
    assert unsure(sure) == ()


def test_another_language_is_told_and_the_model_that_reads_it_is_offered() -> None:
    assert reason("Ich habe heute keine Zeit.") == Reason("language")
    assert reason("Le chat est noir.") == Reason("language")
    assert reason("\u6211\u7231\u4f60\u3002") == Reason("language", better="zh-en")
    assert reason("Je suis très content de te voir.") == Reason("language")
    assert doubts.is_doubtful("Où est la gare ?")
    assert reason("What did she die of?") is None
    assert reason("The animal didn't cross the street because it was too tired.") is None


def test_a_sentence_that_is_copied_is_in_another_language_unless_it_names_only() -> None:
    assert doubts._language("Allez voir ailleurs !", "Allez voir ailleurs!")
    assert doubts._language("Tom Smith, London 2019", "Tom Smith, London 2019") is None
    assert doubts._language("I see Tom.", "Je vois Tom.") is None


def test_characters_without_a_piece_are_named_and_left_out() -> None:
    assert reason(f"I love you {UGARITIC}.") == Reason("characters", UGARITIC, "I love you.")
    assert reason(f"{UGARITIC}!") == Reason("characters", UGARITIC, "")


def test_capitals_become_small_letters() -> None:
    text = "THE KITCHEN AND I ARE SHOUTING"
    found = doubts._capitals(text, cut("THE"), "LE")
    assert found
    assert (found.kind, found.better) == ("capitals", "The kitchen and I are shouting")
    encode = runs.translator().tokenizer.encode
    assert found.pieces == (len(encode(text)), len(encode(found.better)))
    assert found.pieces[0] > found.pieces[1]
    assert doubts._capitals("The UN is here", cut("UN"), "chien") is None


def test_capitals_are_no_reason_where_small_letters_are_cut_into_as_many_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runs.translator().tokenizer, "encode", lambda text: text.split())
    monkeypatch.setattr(doubts, "unsure", lambda text: ("x",) * text.startswith("THE"))
    text, small = "THE CAT IS HERE", "The cat is here"
    assert doubts._capitals(text, cut("THE"), "LE") == Reason("loud", better=small, pieces=(1, 0))
    monkeypatch.setattr(doubts, "unsure", lambda _text: ())
    assert doubts._capitals(text, cut("THE"), "LE") is None
    half = doubts._capitals(text, cut("THE"), "LE chat")
    assert half == Reason("small", "chat", small)


def test_capitals_that_come_out_half_in_small_letters_are_doubtful(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So are THE DOG and LE chien, or laisserONS, though every word is sure."""
    assert not doubts._half_loud("Tom L'A DIT.")
    assert doubts._half_loud("LE chien EST") == "chien"
    assert doubts._half_loud("NE laisserONS PAS") == "laisserONS"
    assert doubts._is_loud("THE DOG IS HERE.")
    assert not doubts._is_loud("The UN is here.")
    monkeypatch.setattr(doubts, "_is_loud", lambda _text: True)
    assert doubts.is_doubtful("The dog is black.")


def test_capitals_in_more_pieces_are_doubtful_though_every_word_is_sure() -> None:
    """TWICE becomes WICE: the model is sure of it."""
    assert not doubts.unsure("I TOLD HIM (TWICE)")
    assert doubts.is_doubtful("I TOLD HIM (TWICE)")
    assert not doubts.is_doubtful("I told him.")


def test_a_name_that_stands_in_the_translation_is_no_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doubts, "unsure", lambda _sentence: ())
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: cut("Tom")[0])
    assert reason("Yesterday I met Tom.") is None
    monkeypatch.setattr(doubts, "unsure", lambda _sentence: ("Tom",))
    assert doubts._unknown_name("Yesterday I met Tom.", [], []) == Reason("name", "Tom")


def test_words_one_letter_away_from_known_ones_are_taken_for_typing_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {"received": 1, "message": 2, "leave": 3, "leaver": 4, "the": 5, "as": 6}
    monkeypatch.setattr(doubts, "_known_words", lambda: known)
    unsure_in_errors(monkeypatch, "recieved", "mesage", "teh")
    text = "I recieved teh mesage sa he leaves."
    found = doubts._typing(text, cut("recieved", "teh", "mesage", "sa", "leaves"))
    right = "I received the message sa he leaves."
    assert found == Reason("typing", "recieved, teh, mesage", right)


def unsure_in_errors(monkeypatch: pytest.MonkeyPatch, *errors: str) -> None:
    """Let a translation be as unsure as its sentence has errors."""
    monkeypatch.setattr(
        doubts, "unsure", lambda text: tuple(error for error in errors if error in text)
    )


def test_only_what_comes_out_better_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubts, "_known_words", lambda: {"fort": 1, "meters": 2})
    unsure_in_errors(monkeypatch, "metres")
    words = cut("forty", "metres")
    found = doubts._typing("It is forty metres.", words)
    assert found == Reason("spelling", "metres", "It is forty meters.")
    unsure_in_errors(monkeypatch)
    assert doubts._typing("It is forty metres.", words) is None


def test_a_name_within_the_sentence_is_named_and_not_its_first_word() -> None:
    words = cut("Marie", "Curie", "saw")
    assert doubts._name(words, words) == words[1]
    quoted = [
        Word("\N{QUOTATION MARK}", 0, 0, True),
        *cut("Marie", "saw"),
    ]
    assert doubts._name(quoted, quoted[1:]) is None
    assert doubts._name(words, words[:1]) is None


def test_months_and_weekdays_are_no_names() -> None:
    words = cut("We", "met", "July", "Saturdays")
    assert doubts._name(words, words) is None


def test_a_name_is_lost_if_it_is_cut_and_its_place_is_written_unsurely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: cut("Zyx")[0])
    monkeypatch.setattr(doubts, "SURE", 1.1)
    assert doubts.loses_name("I know Tom.")
    monkeypatch.setattr(doubts, "SURE", 0.0)
    assert not doubts.loses_name("I see Tom.")
    monkeypatch.setattr(doubts, "SURE", 1.1)
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: cut("Tom")[0])
    assert not doubts.loses_name("I saw Tom.")
    monkeypatch.setattr(doubts, "_name", lambda _words, _cut: None)
    assert not doubts.loses_name("I like Tom.")


def test_a_name_that_is_translated_surely_is_not_doubted() -> None:
    """Moscow is cut into pieces and *Moscou* in French; the word that looks at it is sure."""
    run = runs.run("We are from Moscow.")
    words = words_of(run.source.tokens)
    moscow = next(word for word in words if word.text == "Moscow")
    assert doubts._is_sure_of(run, moscow, doubts.SURE)
    assert not doubts.loses_name("We are from Moscow.")


def test_a_number_that_the_translation_has_otherwise_is_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentence = "The bridge cost 48271 dollars."
    monkeypatch.setattr(doubts, "wrong_number", lambda *_texts: ("48271", "4827"))
    assert reason(sentence) == Reason("number", "48271", written="4827")


def test_a_word_in_pieces_that_is_translated_surely_is_no_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = runs.run("The squirrel hid the acorns because winter was coming.")
    words = [word for word in words_of(run.source.tokens) if word.text in ("acorns", "because")]
    monkeypatch.setattr(doubts, "_is_sure_of", lambda _run, word, _least: word.text == "because")
    assert doubts._in_pieces(run, words) == Reason("pieces", "acorns")
    assert doubts._in_pieces(run, words[1:]) is None
    assert doubts._in_pieces(run, cut("May", "the")) is None


def test_words_in_pieces_that_unsure_words_look_at_come_before_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = runs.run("The squirrel hid the acorns because winter was coming.")
    words = [word for word in words_of(run.source.tokens) if word.text in ("acorns", "because")]
    likely = {"acorns": 0.01, "because": 0.5}
    monkeypatch.setattr(doubts, "_is_sure_of", lambda _run, word, least: likely[word.text] >= least)
    assert doubts._in_pieces(run, words) == Reason("pieces", "acorns")
    assert doubts._in_pieces(run, words[1:]) == Reason("pieces", "because")
