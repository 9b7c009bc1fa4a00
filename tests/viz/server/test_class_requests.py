"""What browsers of a class are told, and what they may tell."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viz.classroom.question import Question
from viz.classroom.room import AWAY, SIGNS, Room
from viz.classroom.sqlite import SqliteStore
from viz.classroom.store import TRIES, Full
from viz.classroom.visitors import address_of, new_person, person_of
from viz.server import class_requests, inside
from viz.server.class_requests import KEY, PATH, PERSON, Classroom, checked


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    store = SqliteStore(tmp_path / "classes" / "classes.sqlite")
    room = Room(store)
    monkeypatch.setattr(class_requests, "room", lambda: room)
    monkeypatch.setattr(class_requests, "TICK", -1.0)
    yield room
    store.close()


@pytest.fixture
def client(room: Room) -> TestClient:
    assert room
    return TestClient(Classroom(Starlette()))


def test_all_are_told_where_the_class_is_and_the_teacher_how_many_there_are(
    room: Room, client: TestClient
) -> None:
    code, key = room.begin("./tokens?word=2")
    room.join(code, "one", "10.0.0.1")
    room.ask(code, Question("choice", "?", ("a", "b"), "./tokens  1"))
    room.answer(code, "one", "1.1.asked", "0")
    told = {"link": "./tokens?word=2", "gathered": "", "screen": "1.1.asked"}
    answer = client.get(PATH, params={"class": code})
    assert told.items() < answer.json().items()
    assert answer.headers["cache-control"] == "no-store"
    guessed = client.get(PATH, params={"class": code}, headers={KEY: "guessed"})
    assert guessed.json() == answer.json()
    seen = client.get(PATH, params={"class": code}, headers={KEY: key}).json()
    assert {**told, "people": 1, "answered": 1, "asked": 1}.items() < seen.items()


def test_a_browser_that_asks_for_news_is_here(
    room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, key = room.begin("./tokens?")
    person = new_person()
    room.join(code, person, "10.0.0.1")
    now = time.time() + 2 * AWAY
    monkeypatch.setattr(room, "_clock", lambda: now)

    def people() -> int:
        return client.get(PATH, params={"class": code}, headers={KEY: key}).json()["people"]

    assert people() == 0
    client.get(PATH, params={"class": code}, headers={PERSON: new_person()})
    assert people() == 0
    client.get(PATH, params={"class": code}, headers={PERSON: person})
    assert people() == 1


def test_a_class_is_told_below_the_path_of_the_app_alone(
    room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inside, "get_option", lambda _name: "course/x")
    code, _key = room.begin("./tokens?word=2")
    told = client.get(f"/course/x{PATH}", params={"class": code}).json()
    assert told["link"] == "./tokens?word=2"
    assert client.get(PATH, params={"class": code}).text == "Not Found"


@pytest.mark.parametrize("query", ["", "?class=ABCD"])
def test_who_types_this_address_is_led_to_the_app(client: TestClient, query: str) -> None:
    typed = client.get(f"/class{query}", headers={"accept": "text/html"}, follow_redirects=False)
    assert typed.is_redirect
    assert typed.headers["location"] == f"./{query}"


def test_only_the_teacher_moves_the_class(room: Room, client: TestClient) -> None:
    code, key = room.begin("./tokens?word=2")
    move = {"class": code, "link": "./head?layer=3&lang=zh&present=1&lead=x&class=y&strange=1"}
    assert client.post(PATH, json=move).status_code == 403
    assert client.post(PATH, json=move, headers={KEY: "guessed"}).status_code == 403
    assert room.state(code).link == "./tokens?word=2"
    moved = client.post(PATH, json=move, headers={KEY: key})
    assert moved.json() == {"moved": room.state(code).moved}
    assert room.state(code).link == "./head?layer=3"


def test_where_there_is_no_room_left_nothing_is_taken_and_nothing_breaks(
    room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, key = room.begin("./tokens?word=2")
    room.join(code, "one", "10.0.0.1")
    room.ask(code, Question("choice", "?", ("a", "b"), "./tokens  1"))

    def refuse(*_told: object) -> None:
        raise Full

    monkeypatch.setattr(SqliteStore, "put", refuse)
    monkeypatch.setattr(SqliteStore, "add", refuse)
    assert not room.answer(code, "one", "1.1.asked", "0")
    move = client.post(PATH, json={"class": code, "link": "./head?layer=3"}, headers={KEY: key})
    assert move.status_code == 507
    assert room.state(code).link == "./tokens?word=2"


def test_a_server_without_a_place_for_classes_says_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> Room:
        raise OSError("the folder is a symbolic link")

    monkeypatch.setattr(class_requests, "room", refuse)
    assert client.get(PATH, params={"class": "AAAAAA"}).status_code == 503
    move = {"class": "AAAAAA", "link": "./head?layer=3"}
    assert client.post(PATH, json=move).status_code == 503
    assert "the folder is a symbolic link" in caplog.text


def test_a_class_that_is_forgotten_meanwhile_is_gone_for_its_teacher(
    room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, key = room.begin("./tokens?word=2")
    seen = client.get(PATH, params={"class": code}).json()
    room.forget(code)
    monkeypatch.setattr(Room, "leads", lambda *_told: True)
    move = client.post(PATH, json={"class": code, "link": "./head?"}, headers={KEY: key})
    assert move.status_code == 404
    assert class_requests._counts(code, key) == {}
    assert "people" not in seen


@pytest.mark.parametrize(
    "link",
    [
        "https://example.com/?a=1",
        "//example.com?a",
        "./nowhere?a=1",
        "./../tokens?a",
        "javascript:",
    ],
)
def test_a_link_that_leads_elsewhere_is_refused(room: Room, client: TestClient, link: str) -> None:
    code, key = room.begin("./tokens?")
    with pytest.raises(ValueError, match="no page"):
        checked(link)
    told = {"class": code, "link": link}
    assert client.post(PATH, json=told, headers={KEY: key}).status_code == 400
    assert room.state(code).link == "./tokens?"


def test_what_is_no_message_or_too_long_is_refused(client: TestClient) -> None:
    for body, status in ((b"", 400), (b"[]", 400), (b"{}", 400), (b"x" * 9000, 413)):
        assert client.post(PATH, content=body).status_code == status


def test_guesses_are_counted_and_a_class_that_is_gone_is_none(
    room: Room, client: TestClient
) -> None:
    code, _key = room.begin("./tokens?")
    assert client.get(PATH, params={"class": code}).status_code == 200
    room.forget(code)
    gone = [client.get(PATH, params={"class": code}).status_code for _ in range(TRIES + 2)]
    assert set(gone) == {404}
    other, _key = room.begin("./tokens?")
    for sign in SIGNS[:TRIES]:
        assert client.get(PATH, params={"class": f"AAAAA{sign}"}).status_code == 404
    assert client.get(PATH, params={"class": other}).status_code == 429


def test_whoever_has_seen_it_waits_for_the_next_move(
    room: Room, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_requests, "TICK", 0.01)
    code, _key = room.begin("./tokens?")
    seen = client.get(PATH, params={"class": code}).json()["seen"]

    def wait() -> dict[str, str]:
        return client.get(PATH, params={"class": code, "seen": seen}).json()

    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(wait)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.3)
        room.move(code, "./head?")
        assert waiting.result(timeout=60)["link"] == "./head?"
    monkeypatch.setattr(class_requests, "PATIENCE", 0.05)
    seen = client.get(PATH, params={"class": code}).json()["seen"]
    assert wait()["seen"] == seen


def test_a_proxy_is_believed_on_this_machine_alone() -> None:
    assert address_of("10.0.0.1", "1.2.3.4") == "10.0.0.1"
    assert address_of("127.0.0.1", "1.2.3.4, 5.6.7.8") == "5.6.7.8"
    assert address_of(None, "5.6.7.8") == "5.6.7.8"
    assert address_of("127.0.0.1", "") == "127.0.0.1"
    assert address_of(None, "") == "this machine"
    assert address_of("testclient", "1.2.3.4") == "testclient"


def test_a_person_is_a_text_that_we_made() -> None:
    assert person_of(new_person()) != person_of(new_person()) != ""
    assert person_of("x") == person_of("é" * 22) == person_of("") == ""
