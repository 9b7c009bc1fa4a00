"""Work beside the visitors: an error in it is told, and does not end more than it must."""

import asyncio
import logging
from types import SimpleNamespace

import pytest

from tests.fixtures.loops import run_apart
from viz.course.pages import COURSE
from viz.server import warm_up
from viz.server.beside import logged


async def broken() -> None:
    raise LookupError("no such page")


def test_what_ends_a_task_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        run_apart(logged(broken))
    assert "broken has ended" in caplog.text
    assert "no such page" in caplog.text


def test_the_end_of_the_server_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        task = asyncio.create_task(logged(asyncio.Event().wait))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()

    run_apart(work())
    assert caplog.text == ""


@pytest.mark.parametrize("error", [RuntimeError, TimeoutError])
def test_examples_are_measured_after_one_that_fails(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    opened: list[tuple[str, str]] = []

    class Visitor:
        async def open(self, page: str, query: str) -> None:
            opened.append((page, query))
            if len(opened) == 1:
                raise error

        def leave(self) -> None:
            opened.append(("", "left"))

    monkeypatch.setattr(warm_up, "FirstVisitor", Visitor)
    texts = SimpleNamespace(texts=("One.", "Two."))
    monkeypatch.setattr(warm_up.examples, "current", lambda: texts)
    run_apart(warm_up.measure_examples())
    pages = [entry.link for entry in COURSE if entry.measures]
    asked = [(page, query) for query in ("One.", "Two.") for page in pages]
    assert opened == [*((page, f"sentence={query}") for page, query in asked), ("", "left")]
