"""A class without browsers: the delays of a teacher's moves, and of the students' answers."""

import asyncio
import json
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from browser.crowd import use
from browser.visitor import DRAWN_WITHIN, Visitor, visitor
from viz.classroom.place import room
from viz.classroom.question import Question
from viz.classroom.room import place_of
from viz.classroom.visitors import COOKIE, new_person
from viz.server.class_requests import KEY, PATH
from viz.server.visit import ask, press

PAGES = ("tokens", "head", "decoder", "attention")
"""The pages to which the teacher moves, one after the other."""

ANSWERING = 5.0
"""The seconds in which all answer, each at a different moment."""

PATIENCE = 120.0
"""The most seconds for which a teacher who keeps no time waits for the class."""

QUESTION = ("Which pronoun?", ("il", "elle", "neither"))


@dataclass
class Seen:
    """The time of each move, the seconds until each student saw it, and the errors.

    `cpu` is the servers' time for the moves, in seconds.
    """

    moved: dict[str, float] = field(default_factory=dict)
    after: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    cpu: float = 0.0


async def hold_class(
    address: str, people: int, moves: int, every: float = 0, processes: tuple[int, ...] = ()
) -> Seen:
    """Let a class follow its teacher, who moves every `every` seconds, then let all answer.

    Without `every` the teacher moves as soon as all have seen the move before, and goes on as soon
    as all have answered.
    """
    code, key = room().begin("./tokens?")
    seen = Seen()
    with ThreadPoolExecutor(people + 1) as threads:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(threads)
        async with AsyncExitStack() as stack:
            students: list[Visitor] = []
            for _number in range(people):
                cookie = f"{COOKIE}={new_person()}"
                students.append(await stack.enter_async_context(visitor(address, cookie=cookie)))
            for at in range(0, people, 10):
                joining = (
                    student.open("tokens", f"class={code}") for student in students[at : at + 10]
                )
                for answer in await asyncio.gather(*joining):
                    seen.errors += answer.errors
            following = [
                asyncio.create_task(_follow(address, student, code, at / people, seen))
                for at, student in enumerate(students)
            ]
            before = use(processes).cpu
            for number in range(moves):
                link = f"./{PAGES[number % len(PAGES)]}?word={number + 1}"
                seen.moved[link] = time.monotonic()
                await asyncio.to_thread(_move, address, code, key, link)
                await _until(lambda done=number + 1: len(seen.after) >= done * people, every)
            seen.cpu = use(processes).cpu - before
            where = place_of(room().state(code).link)
            room().ask(code, Question("choice", *QUESTION, where, result={"right": 0}))
            answering = 2 * ANSWERING if every else 0
            await _until(lambda: room().answered(code, 1, 1) == people, answering)
            counted = room().answered(code, 1, 1)
            if counted != people:
                seen.errors.append(f"{counted} of {people} answers were counted")
            room().finish(code)
            await asyncio.gather(*following)
    room().forget(code)
    return seen


async def _until(done: Callable[[], bool], seconds: float) -> None:
    """Wait so many seconds; if none are given, until it is done, or something has gone wrong."""
    end = time.monotonic() + (seconds or PATIENCE)
    while time.monotonic() < end and (seconds or not done()):
        await asyncio.sleep(min(0.05, max(0.0, end - time.monotonic())))


async def _follow(address: str, student: Visitor, code: str, share: float, seen: Seen) -> None:
    """Act as a student's browser: wait for news, and draw it."""
    mark, link, screen, moved = "", "./tokens?", "", 0
    while screen != "over":
        news = await asyncio.to_thread(_wait, address, code, mark)
        mark = str(news["seen"])
        try:
            if news["screen"] != screen:
                screen = str(news["screen"])
                if screen.endswith("asked"):
                    await _answer(student, code, share, seen)
            elif news["link"] != link and news["moved"] > moved:  # a new link
                link, moved = str(news["link"]), news["moved"]
                page, _mark, query = link.removeprefix("./").partition("?")
                message = ask(page, f"{query}&class={code}", walked=True)
                answer = await student.send(message, DRAWN_WITHIN, f"the page {page!r}")
                seen.after.append(time.monotonic() - seen.moved[link])
                seen.errors += answer.errors
        except (TimeoutError, OSError) as error:
            seen.errors.append(str(error))


async def _answer(student: Visitor, code: str, share: float, seen: Seen) -> None:
    """Draw the question and press one of its buttons."""
    query = f"class={code}"
    drawn = await student.send(ask("tokens", query, walked=True), DRAWN_WITHIN, "the question")
    await asyncio.sleep(share * ANSWERING)
    started = time.monotonic()
    label = QUESTION[1][int(share * 100) % 3]
    if label not in drawn.buttons:
        seen.errors.append("no question was shown")
        return
    answer = await student.send(press(drawn.buttons[label], query), DRAWN_WITHIN, "the answer")
    seen.answers.append(time.monotonic() - started)
    seen.errors += answer.errors


def _wait(address: str, code: str, mark: str) -> dict[str, Any]:
    query = urlencode({"class": code, "seen": mark})
    with urllib.request.urlopen(f"{address}{PATH}?{query}", timeout=60) as answer:
        return json.load(answer)


def _move(address: str, code: str, key: str, link: str) -> None:
    body = json.dumps({"class": code, "link": link}).encode()
    request = urllib.request.Request(f"{address}{PATH}", body, {KEY: key}, method="POST")
    with urllib.request.urlopen(request, timeout=60):
        return
