"""A class with its teacher and those who joined, without a browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.leftovers import leftovers
from tests.app.shown import message
from viz.classroom import place
from viz.classroom.room import Room
from viz.classroom.sqlite import SqliteStore
from viz.language.text import ENGLISH
from viz.shell.class_screen import seat, start
from viz.shell.lessons.shelf import read_shelf, scene_link


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """The room of the app, in a file of its own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(seat, "_address", lambda: "10.0.0.1")  # AppTest has none
    place.room.cache_clear()
    yield place.room()
    store = place.room()._store
    assert isinstance(store, SqliteStore)
    store.close()
    place.room.cache_clear()


def told(page: AppTest) -> dict[str, Any]:
    """Return what the tie between a browser and its class was told."""
    found = page.get("bidi_component")
    (link,) = [one for one in found if one.proto.component_name == "class_link"]
    return json.loads(message(link)["text"])


def keys(page: AppTest) -> set[str]:
    return {str(one.key) for one in page.button if one.key}


def said(page: AppTest) -> str:
    bodies = [one.proto.body for one in page.get("html")]
    return "\n".join([*(one.value for one in page.markdown), *bodies])


def test_a_class_begins_in_the_top_bar_and_its_teacher_leads(
    open_page: OpenPage, room: Room
) -> None:
    page = open_page("tokens", word="2")
    page.button(key="class button").click().run()
    page.button(key="start class").click().run()
    code, key = (str(page.session_state[name]) for name in ("class", "lead"))
    assert room.leads(code, key)
    assert room.state(code).link == "./tokens?word=2"
    assert "class ask" in keys(page)
    assert told(page)["key"] == key
    assert f"{code[:3]} {code[3:]}" in said(page)
    assert "class button" not in keys(page)


def test_whoever_joins_follows_and_has_nothing_to_lead_with(
    open_page: OpenPage, room: Room
) -> None:
    code, _key = room.begin("./tokens?")
    page = open_page("tokens", **{"class": f" {code.lower()}"})
    assert not page.exception
    assert told(page)["key"] == ""
    assert room.people(code) == 1
    assert not {"class ask", "class gather", "class shut", "class end"} & keys(page)
    page.run()
    assert room.people(code) == 1
    guessing = open_page("tokens", **{"class": code, "lead": "guessed"})
    assert told(guessing)["key"] == ""
    assert "class ask" not in keys(guessing)


def test_a_wrong_code_leads_to_the_door(open_page: OpenPage, room: Room) -> None:
    code, _key = room.begin("./tokens?")
    page = open_page("tokens", **{"class": "AAAAAA"})
    assert not page.exception
    assert page.warning[0].value.startswith("There is no class with this code.")
    assert not page.header
    page.text_input(key="door code").set_value(code)
    page.button[0].click().run()
    assert page.header[0].value == "Words to vectors"
    assert room.people(code) == 1


def test_a_teacher_covers_a_page_for_all_until_the_question_is_revealed(
    open_page: OpenPage, room: Room
) -> None:
    def hides(page: AppTest) -> bool:
        return any("visibility: hidden" in one.value for one in page.caption)

    code, key = room.begin("./decoder?")
    teacher = open_page("decoder", step="3", **{"class": code, "lead": key})
    assert not hides(teacher)
    teacher.button(key="class cover").click().run()
    assert hides(teacher)
    assert teacher.query_params["cover"] == "true"  # what the class follows
    student = open_page("decoder", step="3", cover="true", **{"class": code})
    assert hides(student)
    assert "class cover" not in keys(student)
    alone = open_page("decoder", step="3", cover="true")
    assert not hides(alone)
    teacher.button(key="class ask").click().run()
    teacher.button(key="ask all").click().run()
    assert hides(teacher)
    teacher.button(key="class reveal").click().run()
    teacher.button(key="class done").click().run()
    assert not hides(teacher)
    assert "cover" not in teacher.query_params


def test_a_closed_class_lets_nobody_in(open_page: OpenPage, room: Room) -> None:
    code, _key = room.begin("./tokens?")
    room.shut(code, True)
    page = open_page("tokens", **{"class": code})
    assert page.warning[0].value == "The entrance of this class is closed."
    page.button(key="leave class").click().run()
    assert page.header[0].value == "Words to vectors"


def test_a_lesson_asks_the_class_and_reveals_together(open_page: OpenPage, room: Room) -> None:
    scene = {"lesson": "il_elle", "scene": "1", "tokens": "pieces"}
    code, key = room.begin("./tokens?")
    teacher = open_page("tokens", **scene, **{"class": code, "lead": key})
    assert not teacher.exception
    assert room.state(code).screen == "1.1.asked"
    assert "lesson choice 1 0" not in keys(teacher)
    assert "0 of 0 have answered" in said(teacher)
    phone = open_page("tokens", **{"class": code})
    assert not phone.header
    assert not phone.text_input
    labels = [one.label for one in phone.button]
    assert labels[:2] == ["il, for the animal", "elle, for the street"]
    phone.button(key="class answer 1").click().run()
    assert "Your answer: **elle, for the street**" in said(phone)
    assert "class answer 0" not in keys(phone)
    assert "class-bars" not in said(phone)
    teacher.run()
    assert "1 of 1 have answered" in said(teacher)
    assert "class-bars" not in said(teacher)
    question = f"#### {room.question(code, 1).text}"
    assert question in said(teacher)
    teacher.button(key="class reveal").click().run()
    assert question not in said(teacher)  # the card has it; the picture needs the room
    for page in (teacher, phone.run()):
        assert "class-bars" in said(page)
        assert "<b>0</b> of 1 say what the model does" in said(page)
        assert "It writes *L'animal" in said(page)
    teacher.button(key="class again").click().run()
    phone.run()
    phone.button(key="class answer 0").click().run()
    teacher.run()
    teacher.button(key="class reveal").click().run()
    assert "The class, after talking: <b>1</b> of 1" in said(teacher)
    assert room.answers(code, 1) == [["1"], ["0"]]
    teacher.button(key="class done").click().run()
    assert room.state(code).screen == ""
    assert phone.run().header[0].value == "Words to vectors"


def ask(teacher: AppTest, sort: str) -> None:
    teacher.button(key="class ask").click().run()
    teacher.radio(key="ask sort").set_value(sort).run()
    teacher.button(key="ask all").click().run()
    assert not teacher.exception


def test_the_class_predicts_the_next_piece_on_any_step(open_page: OpenPage, room: Room) -> None:
    code, key = room.begin("./decoder?")
    teacher = open_page("decoder", step="8", **{"class": code, "lead": key})
    ask(teacher, "next")
    question = room.questions(code)[0]
    assert len(question.options) == 5
    assert question.options == tuple(sorted(question.options, key=str.casefold))
    weights = question.result["weights"]
    assert max(weights) == weights[question.result["right"]]
    assert 0.5 < sum(weights) <= 1.0001
    phone = open_page("tokens", **{"class": code})
    assert {f"class answer {at}" for at in range(5)} <= keys(phone)


def test_the_class_predicts_in_its_own_words(open_page: OpenPage, room: Room) -> None:
    code, key = room.begin("./decoder?")
    teacher = open_page("decoder", step="1", **{"class": code, "lead": key})
    teacher.button(key="class ask").click().run()
    teacher.radio(key="ask words").set_value(True).run()
    teacher.button(key="ask all").click().run()
    phone = open_page("tokens", **{"class": code})
    phone.text_input(key="class answer").set_value("<b>l</b>")
    phone.button[0].click().run()
    assert room.answers(code, 1) == [["<b>l</b>"]]
    result = room.questions(code)[0].result
    assert (result["right"], result["word"]) == ("·L", "L'")
    teacher.run()
    teacher.button(key="class reveal").click().run()
    assert "&lt;b&gt;l&lt;/b&gt;" in said(teacher)
    assert "<b>l</b>" not in said(teacher)
    teacher.menu_button(key="class remove").click("<b>l</b>").run()
    assert "&lt;b&gt;l" not in said(teacher)
    assert room.answers(code, 1) == [[""]]


def test_what_is_right_is_what_is_written_however_unlikely(open_page: OpenPage, room: Room) -> None:
    code, key = room.begin("./decoder?")
    said = {"strategy": "sampling", "temperature": "2", "top_k": "0", "seed": "2"}
    teacher = open_page("decoder", step="2", **said, **{"class": code, "lead": key})
    ask(teacher, "next")
    question = room.questions(code)[0]
    weights = question.result["weights"]
    assert len(question.options) == 5
    assert weights[question.result["right"]] < max(weights)


def test_the_class_predicts_where_a_head_looks(open_page: OpenPage, room: Room) -> None:
    code, key = room.begin("./tokens?")
    teacher = open_page("tokens", **{"class": code, "lead": key})
    ask(teacher, "word")
    question = room.questions(code)[0]
    weights = question.result["weights"]
    assert sum(weights) == pytest.approx(1, abs=1e-4)
    assert question.query == "it"
    assert question.options[question.result["right"]] == "animal"
    phone = open_page("tokens", **{"class": code})
    phone.button(key=f"class answer {question.result['right']}").click().run()
    teacher.run()
    teacher.button(key="class reveal").click().run()
    share = f"<b>{max(weights):.0%}</b> in common with the model's attention"
    assert share in said(teacher)


def test_the_class_finds_a_head(open_page: OpenPage, room: Room) -> None:
    code, key = room.begin("./tokens?")
    teacher = open_page("tokens", **{"class": code, "lead": key})
    ask(teacher, "head")
    question = room.questions(code)[0]
    assert (len(question.options), question.heads) == (48, 8)
    assert question.options[question.result["right"]] == "encoder 6.4"
    assert (question.query, question.key) == ("it", "animal")
    room.join(code, "one", "here")
    assert room.answer(code, "one", "1.1.asked", str(question.result["right"]))
    teacher.run()
    teacher.button(key="class reveal").click().run()
    assert "<b>1</b> of 1 say what the model does" in said(teacher)


def test_a_class_ends_with_its_answers_and_is_forgotten(open_page: OpenPage, room: Room) -> None:
    scene = {"lesson": "il_elle", "scene": "1"}
    code, key = room.begin("./tokens?")
    teacher = open_page("tokens", **scene, **{"class": code, "lead": key})
    phone = open_page("tokens", **{"class": code})
    phone.button(key="class answer 1").click().run()
    teacher.button(key="class end").click().run()
    assert not teacher.exception
    assert teacher.header[0].value == "What the class answered"
    assert "Which pronoun will the model write?" in said(teacher)
    assert "The class is over." in said(phone.run())
    teacher.button(key="class forget").click().run()
    assert room._store.read(code, "state") == {}
    assert teacher.header[0].value == "Words to vectors"


def test_in_chinese_nothing_of_a_class_is_left_in_english(open_page: OpenPage, room: Room) -> None:
    scene = {"lesson": "il_elle", "scene": "1", "lang": "zh"}
    code, key = room.begin("./tokens?")
    teacher = open_page("tokens", **scene, **{"class": code, "lead": key})
    phone = open_page("tokens", **{"class": code, "lang": "zh"})
    stranger = open_page("tokens", **{"class": "AAAAAA", "lang": "zh"})
    assert [leftovers(page, "zh") for page in (teacher, phone, stranger)] == [[], [], []]
    phone.button(key="class answer 1").click().run()
    teacher.button(key="class reveal").click().run()
    teacher.button(key="class ask").click().run()
    assert [leftovers(page, "zh") for page in (teacher, phone.run())] == [[], []]
    teacher.button(key="class end").click().run()
    assert [leftovers(page, "zh") for page in (teacher, phone.run())] == [[], []]


def test_a_student_reads_no_answers_before_they_are_revealed(
    open_page: OpenPage, room: Room
) -> None:
    code, key = room.begin("./decoder?")
    room.join(code, "one", "here")
    teacher = open_page("decoder", step="1", **{"class": code, "lead": key})
    teacher.button(key="class ask").click().run()
    teacher.radio(key="ask words").set_value(True).run()
    teacher.button(key="ask all").click().run()
    assert room.answer(code, "one", "1.1.asked", "a secret guess")
    for page in (open_page("decoder", **{"class": code}), teacher.run()):
        assert "a secret guess" not in said(page)


LESSONS = {
    lesson.name: (lesson, number)
    for lesson in read_shelf(ENGLISH).lessons
    for number, scene in reversed(list(enumerate(lesson.scenes, 1)))
    if scene.question
}
"""Every lesson, with its first scene that asks something."""


@pytest.mark.parametrize("name", LESSONS)
def test_a_scene_of_every_lesson_asks_a_class(open_page: OpenPage, room: Room, name: str) -> None:
    lesson, number = LESSONS[name]
    scene = lesson.scenes[number - 1]
    code, key = room.begin("./tokens?")
    link = urlsplit(scene_link(lesson, number))
    given = dict(parse_qsl(link.query, keep_blank_values=True))
    teacher = open_page(link.path, **given, **{"class": code, "lead": key})
    assert not teacher.exception
    question = room.questions(code)[0]
    assert scene.question
    assert len(question.options) == len(scene.question.choices)
    assert not any(mark in text for text in question.options for mark in "*$`{\\")
    assert question.result["right"] is not None
    phone = open_page("tokens", **{"class": code})
    assert {f"class answer {at}" for at in range(len(question.options))} <= keys(phone)
    room.move(code, f"./{link.path}?{link.query}")
    assert room.state(code).screen == "1.1.asked"  # the scene's link is the question's place


@pytest.mark.parametrize(
    ("names", "leads_to"),
    [(["10.1.2.3", "localhost"], "http://10.1.2.3:8501/course/"), (["localhost"], None)],
)
def test_the_class_gets_the_address_that_its_network_has(
    monkeypatch: pytest.MonkeyPatch, names: list[str], leads_to: str | None
) -> None:
    monkeypatch.setattr(start, "own_address", lambda: "10.1.2.3")
    monkeypatch.setattr("streamlit.get_option", lambda _name: names)
    here = "http://localhost:8501/course/"
    assert start.outwards(here) == (leads_to or here)
    assert start.outwards("https://headlight.example/") == "https://headlight.example/"
