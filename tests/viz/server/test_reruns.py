"""What one window may ask: one thing after the other, nothing of a page it has left."""

import asyncio
import time
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.fixtures.loops import run_apart
from viz.server import reruns
from viz.server.reruns import Reruns

ANSWER = ("new_session", "page_config_changed", "script_finished")


def asked(page: str = "", part: str = "", *, pressed: bool = False, walked: bool = False) -> bytes:
    """Write a request for a page, or for a part of it that redraws alone."""
    message = BackMsg()
    message.rerun_script.is_history_navigation = walked
    message.rerun_script.page_script_hash = page
    message.rerun_script.fragment_id = part
    if pressed:
        message.rerun_script.widget_states.widgets.add(id="button", trigger_value=True)
    return message.SerializeToString()


def component_press() -> bytes:
    """Write a request for a page with what a component in it answers."""
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="board", json_trigger_value="[]")
    return message.SerializeToString()


def told(kind: str) -> Message:
    """Write an answer of Streamlit, by the kind of its message."""
    message = ForwardMsg()
    if kind == "script_finished":
        message.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
    else:
        getattr(message, kind).SetInParent()
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


def passed(*sent: bytes, kind: str = "websocket", shown: str = "") -> list[Message]:
    """Return what reaches Streamlit, which answers at once, of what a browser sends.

    Of a page that was asked for by its name it first tells the id: `shown`.
    """
    found: list[Message] = []
    coming = [{"type": "websocket.receive", "bytes": one} for one in sent]

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": "websocket.disconnect"}

    async def send(_message: Message) -> None:
        """Bring an answer to the browser, which shows it to nobody."""

    async def streamlit(_scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            found.append(message)
            if shown:
                named = ForwardMsg()
                named.navigation.page_script_hash = shown
                await send({"type": "websocket.send", "bytes": named.SerializeToString()})
            for answer in ANSWER:
                await send(told(answer))

    run_apart(Reruns(streamlit)({"type": kind}, receive, send))
    return found


def waits(first: bytes, second: bytes, answers: Sequence[str]) -> list[bool]:
    """Tell whether the second request has reached Streamlit after each answer to the first."""
    coming = [first, second]
    found: list[bool] = []

    async def receive() -> Message:
        return {"type": "websocket.receive", "bytes": coming.pop(0)}

    async def send(_message: Message) -> None:
        """Bring an answer to the browser, which shows it to nobody."""

    async def streamlit(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        following = asyncio.ensure_future(receive())
        for answer in answers:
            await send(told(answer))
            await asyncio.sleep(0.01)
            found.append(not following.done())
        await following

    run_apart(Reruns(streamlit)({"type": "websocket"}, receive, send))
    return found


@pytest.mark.parametrize("part", ["", "card"])
def test_a_request_waits_until_the_callbacks_of_the_one_before_are_called(part: str) -> None:
    answers = ["delta", "new_session", "session_status_changed", "delta", "script_finished"]
    found = waits(asked(part=part), asked(), answers)
    assert found == [True, True, True, False, False]


def test_a_request_waits_until_a_part_has_read_its_press() -> None:
    answers = ["new_session", "delta", "script_finished"]
    assert waits(asked(part="card", pressed=True), asked(), answers) == [True, True, False]
    assert waits(asked(pressed=True), asked(), answers) == [True, False, False]


def test_the_way_to_another_page_waits_for_nothing() -> None:
    assert waits(asked("one"), asked("two"), ["new_session", "delta"]) == [False, False]


def test_a_request_that_is_not_answered_holds_up_the_next_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reruns, "PATIENCE", 0.1)
    started = time.monotonic()
    assert waits(asked(part="gone"), asked(), ["delta"]) == [True]
    assert time.monotonic() - started >= 0.1


def test_a_request_waits_longer_behind_a_press_that_has_not_been_called_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reruns, "PATIENCE", 0.001)
    late = ["new_session", "new_session", "new_session", "delta"]  # of a server that is busy
    for pressed in (asked(pressed=True), component_press()):
        assert waits(pressed, asked(), late) == [True, True, True, False]
    assert waits(asked(), asked(), late) == [False, False, False, False]


def test_a_request_waits_until_the_page_of_a_step_through_the_history_is_drawn() -> None:
    answers = ["new_session", "page_config_changed", "navigation", "delta", "script_finished"]
    assert waits(asked(walked=True), asked(), answers) == [True, True, True, True, False]


@pytest.mark.parametrize(
    ("answers", "kept"),
    [
        (("script_finished",), True),  # of the run before
        (("new_session", "page_config_changed"), True),
        (("new_session", "page_config_changed", "navigation"), False),
    ],
)
def test_a_step_through_the_history_stays_one_until_its_link_is_read(
    answers: Sequence[str], kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reruns, "PATIENCE", 0.1)
    coming = [asked(walked=True), asked(pressed=True)]

    async def receive() -> Message:
        return {"type": "websocket.receive", "bytes": coming.pop(0)}

    async def send(_message: Message) -> None:
        """Bring an answer to the browser, which shows it to nobody."""

    async def streamlit(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        for answer in answers:
            await send(told(answer))
        assert (await receive())["bytes"] == asked(pressed=True, walked=kept)

    run_apart(Reruns(streamlit)({"type": "websocket"}, receive, send))


def test_a_part_of_a_page_that_was_left_is_not_asked_for() -> None:
    ours, theirs, late = asked("two"), asked("two", "card"), asked("one", "card")
    messages = passed(asked("one"), late, ours, late, theirs)
    assert [message["bytes"] for message in messages] == [asked("one"), late, ours, theirs]


def test_a_part_waits_for_no_id_of_a_page_that_was_opened_by_its_name() -> None:
    assert len(passed(asked(""), asked("one", "card"), asked("two", "card"))) == 3


def test_a_page_that_was_opened_by_its_name_is_known_once_it_is_drawn() -> None:
    ours, late, following = asked("one", "card"), asked("two", "card"), asked("two")
    messages = passed(asked(""), ours, late, following, late, ours, shown="one")
    assert [message["bytes"] for message in messages] == [asked(""), ours, following, late]


def test_what_is_no_rerun_passes() -> None:
    other = BackMsg()
    other.stop_script = True
    said = (other.SerializeToString(), b"\xff\xff", b"")
    assert [message["bytes"] for message in passed(*said)] == list(said)
    assert len(passed(asked("two"), asked("one", "card"), kind="http")) == 2


def test_who_asks_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    now = SimpleNamespace(monotonic=lambda: 1000 + sum(slept))

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(reruns, "AT_ONCE", 5)
    monkeypatch.setattr(reruns, "A_SECOND", 50.0)
    monkeypatch.setattr(reruns, "time", now)
    monkeypatch.setattr(reruns.asyncio, "sleep", sleep)
    assert len(passed(*[asked("one")] * 30)) == 30
    assert slept[:5] == pytest.approx([0.0] * 5)
    assert sum(slept) == pytest.approx(25 / 50)
