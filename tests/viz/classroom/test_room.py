"""The rules of a class: who leads it, who is in it, what may be asked and answered, how often."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from viz.classroom.question import Question, overlap, tallies, tally
from viz.classroom.room import (
    AWAY,
    LONGEST_LINK,
    PEOPLE,
    QUESTIONS,
    SIGNS,
    NoSuchClass,
    Room,
    Shut,
    TooManyTries,
    cleaned,
)
from viz.classroom.sqlite import SqliteStore
from viz.classroom.store import TRIES, Full

HERE = "10.0.0.1"
PRONOUN = Question(
    "choice", "Which pronoun?", ("il", "elle"), "tokens il_elle 1", result={"right": 0}
)
SAID = Question("text", "What comes next?", (), "decoder  1")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    store = SqliteStore(tmp_path / "classes" / "classes.sqlite")
    yield Room(store)
    store.close()


@pytest.fixture
def code(room: Room) -> str:
    return room.begin("tokens?lesson=il_elle&scene=1")[0]


def test_a_code_is_six_signs_that_are_not_mistaken_for_others(room: Room) -> None:
    codes = {room.begin("tokens")[0] for _ in range(20)}
    assert len(codes) == 20
    assert len(SIGNS) == len(set(SIGNS)) == 31
    assert all(len(code) == 6 and set(code) <= set(SIGNS) for code in codes)
    assert not set("01OIL") & set(SIGNS)


@pytest.mark.parametrize(
    ("typed", "code"),
    [("abc234", "ABC234"), (" AB C2 34", "ABC234"), ("ABC23", ""), ("ABC2345", ""), ("ABC01O", "")],
)
def test_a_code_is_read_however_it_is_typed(typed: str, code: str) -> None:
    assert cleaned(typed) == code


def test_only_the_key_leads(room: Room) -> None:
    code, key = room.begin("tokens")
    other, others = room.begin("tokens")
    assert len(key) >= 20
    assert room.leads(code, key)
    assert not room.leads(code, others)
    assert not room.leads(other, key)
    assert not any(room.leads(code, text) for text in ("", code, key.lower(), "\ud800"))
    assert not room.leads("AAAAAA", "")


def test_whoever_joins_is_counted_once(room: Room, code: str) -> None:
    for person in ("one", "two", "one"):
        assert room.join(code, person, HERE).link == "tokens?lesson=il_elle&scene=1"
    assert room.people(code) == 2


def test_whoever_goes_is_no_longer_here_after_a_minute(tmp_path: Path) -> None:
    now = [1000.0]
    store = SqliteStore(tmp_path / "classes" / "classes.sqlite", lambda: now[0])
    room = Room(store, lambda: now[0])
    code, _key = room.begin("tokens")
    for person in ("stays", "answers and goes", "goes"):
        room.join(code, person, HERE)
    room.ask(code, PRONOUN)
    room.answer(code, "answers and goes", "1.1.asked", "1")
    assert len(room.here(code)) == 3
    assert room.turnout(code, 1, 1) == (1, 3)
    for _ in range(2):
        now[0] += AWAY * 0.6
        room.hear(code, "stays")
    room.hear(code, "a stranger")
    assert room.here(code) == {"stays"}
    assert room.turnout(code, 1, 1) == (1, 2)
    assert room.people(code) == 3
    room.join(code, "goes", HERE)  # comes back
    room.hear(code, "goes")
    assert room.turnout(code, 1, 1) == (1, 3)
    store.close()


def test_a_class_is_full_at_four_hundred(room: Room, code: str) -> None:
    for number in range(PEOPLE):
        room.join(code, str(number), HERE)
    with pytest.raises(Full):
        room.join(code, "one more", HERE)
    room.join(code, "3", HERE)  # whoever is in stays in


def test_ten_wrong_codes_a_minute_and_no_more(room: Room, code: str) -> None:
    room.join(code, "early", HERE)
    for _ in range(2 * TRIES):  # a class that types the code of last week makes one guess
        with pytest.raises(NoSuchClass):
            room.join("AAAAAA", "guest", HERE)
    for sign in SIGNS[1:TRIES]:
        with pytest.raises(NoSuchClass):
            room.join(f"BBBBB{sign}", "guest", HERE)
    with pytest.raises(TooManyTries):
        room.join(code, "guest", HERE)  # not even a right one says that it is
    with pytest.raises(TooManyTries):
        room.look_up(code, HERE)
    assert room.join(code, "guest", "10.0.0.2")
    assert room.join(code, "early", HERE)


def test_nobody_comes_in_where_the_entrance_is_closed(room: Room, code: str) -> None:
    room.join(code, "early", HERE)
    room.shut(code, True)
    with pytest.raises(Shut):
        room.join(code, "late", HERE)
    assert room.join(code, "early", HERE).shut
    room.shut(code, False)
    assert not room.join(code, "late", HERE).shut


def test_one_answer_a_person_and_question(room: Room, code: str) -> None:
    room.join(code, "one", HERE)
    room.join(code, "two", HERE)
    room.ask(code, PRONOUN)
    screen = room.state(code).screen
    assert screen == "1.1.asked"
    assert room.answer(code, "one", screen, "1")
    assert not room.answer(code, "one", screen, "0")
    assert room.answer(code, "two", screen, "0")
    assert room.answered(code, 1, 1) == 2
    assert room.answer_of(code, "one", 1, 1) == "1"
    assert room.answers(code, 1) == [["0", "1"]]
    assert PRONOUN.counts(room.answers(code, 1)[0]) == [1, 1]


@pytest.mark.parametrize("text", ["2", "-1", "", "x", "²", "1e0", "0" * 50])
def test_what_is_no_option_is_no_answer(room: Room, code: str, text: str) -> None:
    room.join(code, "one", HERE)
    room.ask(code, PRONOUN)
    assert not room.answer(code, "one", "1.1.asked", text)
    assert room.answered(code, 1, 1) == 0


def test_a_stranger_and_whoever_comes_too_late_are_not_counted(room: Room, code: str) -> None:
    room.join(code, "one", HERE)
    room.ask(code, PRONOUN)
    assert not room.answer(code, "stranger", "1.1.asked", "1")
    room.reveal(code)
    assert not room.answer(code, "one", "1.1.asked", "1")
    assert not room.answer(code, "one", "1.1.revealed", "1")
    assert room.answers(code, 1) == [[]]


def test_a_text_has_forty_signs_at_most_and_no_line_breaks(room: Room, code: str) -> None:
    room.ask(code, SAID)
    texts = {"a": "x" * 40, "b": "x" * 41, "c": "  a\nb\u202e\x00 ", "d": "   ", "e": "<b>"}
    for person, text in texts.items():
        room.join(code, person, HERE)
        assert room.answer(code, person, "1.1.asked", text) == (person in "ace")
    assert room.answers(code, 1) == [["<b>", "a b", "x" * 40]]


def test_a_removed_text_stays_away_and_its_writer_has_answered(room: Room, code: str) -> None:
    room.ask(code, SAID)
    for person, text in (("one", "rude"), ("two", "rude"), ("three", "nice")):
        room.join(code, person, HERE)
        room.answer(code, person, "1.1.asked", text)
    room.remove(code, 1, "rude")
    assert tally(room.answers(code, 1)[0]) == [("nice", 1)]
    assert room.answered(code, 1, 1) == 3
    assert not room.answer(code, "one", "1.1.asked", "rude")


def test_a_question_is_asked_twice_and_both_rounds_stay(room: Room, code: str) -> None:
    room.join(code, "one", HERE)
    room.ask(code, PRONOUN)
    room.answer(code, "one", "1.1.asked", "1")
    room.reveal(code)
    assert room.state(code).screen == "1.1.revealed"
    assert room.question(code, 1) == PRONOUN
    room.ask_again(code)
    assert room.state(code).screen == "1.2.asked"
    assert room.answer(code, "one", "1.2.asked", "0")
    assert room.answers(code, 1) == [["1"], ["0"]]
    room.reveal(code)
    room.ask_again(code)  # there are two rounds
    assert room.state(code).screen == "1.2.revealed"


def test_there_are_no_more_questions_than_sixty(room: Room, code: str) -> None:
    for _ in range(QUESTIONS):
        room.ask(code, PRONOUN)
    with pytest.raises(Full):
        room.ask(code, PRONOUN)
    assert len(room.questions(code)) == QUESTIONS


def test_two_windows_that_ask_at_once_ask_two_questions(
    room: Room, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = SqliteStore.count
    answers = iter([0, 0])  # both windows count before either has asked

    def early(store: SqliteStore, code: str, part: str) -> int:
        return 0 if next(answers, 1) == 0 else count(store, code, part)

    monkeypatch.setattr(SqliteStore, "count", early)
    room.ask(code, PRONOUN)
    room.ask(code, SAID)
    assert room.questions(code) == [PRONOUN, SAID]
    assert room.state(code).screen == "2.1.asked"


def test_nothing_happens_to_a_class_that_another_window_forgot(
    room: Room, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.ask(code, PRONOUN)
    room.forget(code)
    counts = iter([1, 0])  # it is forgotten after the first count
    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "count", lambda *_told: next(counts))
        room.ask(code, SAID)
    room.ask_again(code)
    room.reveal(code)
    room.close(code)
    assert room.questions(code) == []


def test_a_question_ends_where_the_teacher_leaves_its_place(room: Room, code: str) -> None:
    room.ask(code, PRONOUN)
    room.move(code, "tokens?word=3&lesson=il_elle")  # the first scene need not be named
    assert room.state(code).screen == "1.1.asked"
    room.move(code, "tokens?lesson=il_elle&scene=2")
    assert room.state(code).screen == ""
    assert room.state(code).link == "tokens?lesson=il_elle&scene=2"
    room.move(code, "x" * (LONGEST_LINK + 1))
    assert room.state(code).link == "tokens?lesson=il_elle&scene=2"


def test_all_are_brought_back_each_time_anew(room: Room, code: str) -> None:
    seen = {room.state(code).gathered}
    for _ in range(3):
        room.gather(code)
        seen.add(room.state(code).gathered)
    assert len(seen) == 4


def test_a_class_that_has_ended_takes_nobody_and_keeps_its_answers(room: Room, code: str) -> None:
    room.join(code, "one", HERE)
    room.ask(code, PRONOUN)
    room.answer(code, "one", "1.1.asked", "1")
    room.finish(code)
    assert room.state(code).screen == "over"
    assert not room.answer(code, "one", "1.1.asked", "0")
    with pytest.raises(Shut):
        room.join(code, "two", HERE)
    assert room.answers(code, 1) == [["1"]]
    room.forget(code)
    with pytest.raises(NoSuchClass):
        room.state(code)


def test_texts_that_differ_in_their_case_or_the_mark_for_a_space_are_one() -> None:
    assert tally(["Elle", "elle", "il", "", "il", "·il"]) == [("il", 3), ("Elle", 2)]


def test_a_text_is_one_in_both_rounds_and_beside_the_model() -> None:
    result = {"texts": ["·le", "·chat", "chat"], "weights": [0.5, 0.3, 0.1]}
    question = Question("text", "Next?", (), "", result=result)
    rounds = [["Chat", "chat", "un"], ["·chat", "un", "un"]]
    assert tallies(question, rounds) == {
        "un": ([1, 2], None),
        "·chat": ([2, 1], 0.3),
        "·le": ([0, 0], 0.5),
    }


def test_two_distributions_have_in_common_what_lies_under_both() -> None:
    assert overlap([1, 1, 2], [0.25, 0.25, 0.5]) == 1.0
    assert overlap([3, 0], [0.0, 1.0]) == 0.0
    assert overlap([1, 3], [0.75, 0.25]) == pytest.approx(0.5)
    assert overlap([0, 0], [0.5, 0.5]) == 0.0
