"""A press counts, whatever else the browser asks for in the same moment."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from browser.visitor import visitor
from tests.server.conftest import Watched
from viz.server.visit import Answer, ask, press


@pytest.mark.usefixtures("first_answers")
def test_a_press_counts_when_something_else_is_asked_for_at_once(watched: Watched) -> None:
    async def open_class() -> Answer:
        async with visitor(watched.address) as here:
            drawn = await here.open("")
            assert "Start a class" not in drawn.buttons
            await here.post(press(drawn.buttons["Class"]))
            return await here.send(ask(""), 60, "the page")

    with ThreadPoolExecutor(1) as alone:  # Playwright's loop runs in this thread
        answer = alone.submit(asyncio.run, open_class()).result()
    assert answer.errors == []
    assert "Start a class" in answer.buttons
