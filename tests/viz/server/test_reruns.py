"""What one window may ask: nothing of a page it has left, and not too much at once."""

import asyncio
import time

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from viz.server import reruns
from viz.server.reruns import Reruns


def asked(page: str = "", part: str = "") -> bytes:
    """Write a request for a page, or for a part of it that redraws alone."""
    message = BackMsg()
    message.rerun_script.page_script_hash = page
    message.rerun_script.fragment_id = part
    return message.SerializeToString()


def passed(*sent: bytes, kind: str = "websocket") -> list[Message]:
    """Return what reaches Streamlit of what a browser sends."""
    found: list[Message] = []
    coming = [{"type": "websocket.receive", "bytes": one} for one in sent]

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": "websocket.disconnect"}

    async def send(_message: Message) -> None:
        raise AssertionError("nothing is answered")

    async def streamlit(_scope: Scope, receive: Receive, _send: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            found.append(message)

    asyncio.run(Reruns(streamlit)({"type": kind}, receive, send))
    return found


def test_a_part_of_a_page_that_was_left_is_not_asked_for() -> None:
    ours, theirs, late = asked("two"), asked("two", "card"), asked("one", "card")
    messages = passed(asked("one"), late, ours, late, theirs)
    assert [message["bytes"] for message in messages] == [asked("one"), late, ours, theirs]


def test_a_page_that_was_opened_by_its_name_is_left_alone() -> None:
    assert len(passed(asked(""), asked("one", "card"), asked("two", "card"))) == 3


def test_what_is_no_rerun_passes() -> None:
    other = BackMsg()
    other.stop_script = True
    said = (other.SerializeToString(), b"\xff\xff", b"")
    assert [message["bytes"] for message in passed(*said)] == list(said)
    assert len(passed(asked("two"), asked("one", "card"), kind="http")) == 2


def test_who_asks_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reruns, "AT_ONCE", 5)
    monkeypatch.setattr(reruns, "A_SECOND", 50.0)
    started = time.monotonic()
    assert len(passed(*[asked("one")] * 5)) == 5
    assert time.monotonic() - started < 0.05
    started = time.monotonic()
    assert len(passed(*[asked("one")] * 30)) == 30
    assert time.monotonic() - started > 24 / 50
