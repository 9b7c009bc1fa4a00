"""What the benchmarks of many visitors count, and when a soak is called flat."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from benchmarks import load
from benchmarks.soak import MOST_BYTES, problems
from browser.crowd import Behaviour, Use, crowd, fresh_sentences, together, use
from viz.course.pages import COURSE

Result = TypeVar("Result")

FLAT = [Use(float(minute), 700_000_000, 20) for minute in range(10)]


def test_fresh_sentences_are_all_different() -> None:
    sentences = list(fresh_sentences())
    assert len(set(sentences)) == len(sentences) == 5120


def test_the_page_that_crowds_ask_for_is_there() -> None:
    assert load.PAGE in {entry.link for entry in COURSE}


@pytest.mark.skipif(sys.platform != "linux", reason="what a process uses is read from /proc")
def test_what_processes_use_is_added_up() -> None:
    once, twice = use([os.getpid()]), use([os.getpid()] * 2)
    assert once.cpu > 0
    assert once.memory > 10_000_000
    assert once.threads >= 1
    assert twice.cpu >= 2 * once.cpu
    assert twice.threads == 2 * once.threads


def test_a_flat_soak_has_no_problems() -> None:
    assert problems(FLAT, FLAT[-1], FLAT[0]) == []


def test_a_soak_that_grows_passes_its_bound_or_leaves_threads_is_told() -> None:
    growing = [Use(one.cpu, one.memory + 20_000_000 * at, 20) for at, one in enumerate(FLAT)]
    assert problems(growing, FLAT[-1], FLAT[0]) == ["memory still grows at the end"]
    assert problems(growing, FLAT[-1], FLAT[0], alike=False) == []  # the longest come last
    peak = [*FLAT[:3], Use(3, MOST_BYTES + 1, 20), *FLAT[4:]]
    assert problems(peak, FLAT[-1], FLAT[0]) == ["memory went up to 1500 MB"]
    left = Use(10, 700_000_000, 25)
    assert problems(FLAT, left, FLAT[0]) == ["5 threads are left over"]


def run(work: Coroutine[None, None, Result]) -> Result:
    """Run in a thread of its own, as Playwright's loop may run in this one."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, work).result(timeout=60)


@asynccontextmanager
async def stand_in(hear: Callable[[BackMsg], object]) -> AsyncIterator[str]:
    """Answer every question at once, in Streamlit's messages; the page "broken" with an error."""

    async def answer(socket: ServerConnection) -> None:
        async for data in socket:
            assert isinstance(data, bytes)
            question, said = BackMsg.FromString(data), ForwardMsg()
            hear(question)
            if question.rerun_script.page_name == "broken":
                said.delta.new_element.exception.message = "it broke"
                await socket.send(said.SerializeToString())
            end = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
            await socket.send(end.SerializeToString())

    async with serve(answer, "127.0.0.1", 0, subprotocols=[Subprotocol("streamlit")]) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def test_a_crowd_asks_for_pages_in_turn_and_for_a_sentence_that_nobody_had() -> None:
    asked: list[BackMsg] = []

    async def visit() -> None:
        async with stand_in(asked.append) as address:
            behaviour = Behaviour(4, 0.05, 0.5, ("head", "layers", "broken"))
            visits = await crowd(address, behaviour, fresh_sentences())
            assert len(visits) == len(asked) >= 8
            assert {one.page for one in visits if one.errors == ("it broke",)} == {"broken"}
            assert all(not one.errors for one in visits if one.page != "broken")

    run(visit())
    pages = Counter(one.rerun_script.page_name for one in asked)
    assert set(pages) == {"head", "layers", "broken"}
    assert len({one.rerun_script.query_string for one in asked}) == len(asked)


def test_a_class_opens_one_link_together() -> None:
    asked: list[BackMsg] = []

    async def visit() -> None:
        async with stand_in(asked.append) as address:
            visits = await together(address, 12, "head", "layer=2")
            assert [one.errors for one in visits] == [()] * 12

    run(visit())
    assert {one.rerun_script.query_string for one in asked} == {"layer=2"}
