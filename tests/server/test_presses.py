"""A press counts, whatever else the browser asks for in the same moment."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from browser.visitor import DRAWN_WITHIN, Visitor, visitor
from tests.server.conftest import Watched
from viz.server.visit import Answer, ask, press
from viz.shell.lessons.shelf import read_shelf, scene_link


@pytest.mark.usefixtures("first_answers")
def test_a_press_counts_when_something_else_is_asked_for_at_once(watched: Watched) -> None:
    async def open_class() -> Answer:
        async with visitor(watched.address) as here:
            drawn = await here.open("")
            assert "Start a class" not in drawn.buttons
            await here.post(press(drawn.buttons["Class"]))
            return await here.send(ask(""), DRAWN_WITHIN, "the page")

    with ThreadPoolExecutor(1) as alone:  # Playwright's loop runs in this thread
        answer = alone.submit(asyncio.run, open_class()).result()
    assert answer.errors == []
    assert "Start a class" in answer.buttons


async def press_first_choice(here: Visitor, link: str) -> str:
    """Open a scene as a first page, press its first choice as soon as that is drawn, and listen.

    Returns what the card says at the end.
    """
    page, _mark, query = link.partition("?")
    await here.post(ask(page, query))
    shown, card, said, runs = "", "", "", 0
    async for told in here.heard():
        shown = told.navigation.page_script_hash or shown
        element = told.delta.new_element
        if element.button.id.endswith("-lesson choice 1 0") and not card:
            assert runs == 0
            card = told.delta.fragment_id
            pressed = press(element.button.id, query)
            pressed.rerun_script.page_script_hash = shown
            pressed.rerun_script.fragment_id = card
            await here.post(pressed)
        if told.delta.fragment_id == card and card:
            said += element.markdown.body
        if told.WhichOneof("type") == "script_finished":
            runs += told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            if runs == 2:
                return said
    raise ConnectionError("the server has hung up")


@pytest.mark.usefixtures("first_answers")
def test_a_choice_in_a_lesson_counts_while_the_first_page_is_still_drawn(watched: Watched) -> None:
    lesson = next(one for one in read_shelf("en").lessons if one.scenes[0].question)

    async def choose() -> str:
        async with visitor(watched.address) as here, asyncio.timeout(DRAWN_WITHIN):
            return await press_first_choice(here, scene_link(lesson, 1))

    with ThreadPoolExecutor(1) as alone:
        said = alone.submit(asyncio.run, choose()).result()
    assert "Right." in said or "The answer is" in said
