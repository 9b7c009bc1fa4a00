"""What nobody holds any more is collected soon, and nothing is done when nothing happened."""

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from viz.server import garbage


class Circle:
    """Holds itself."""

    def __init__(self) -> None:
        self.own = self


def collections() -> int:
    return gc.get_stats()[2]["collections"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without a wait, and without what Python collects by itself."""
    monkeypatch.setattr(garbage, "EVERY", 0.0)
    gc.disable()
    yield
    gc.enable()


async def some_time(drawn: bool) -> None:
    task = asyncio.create_task(garbage.collect_garbage())
    await asyncio.sleep(0)  # it counts what there was before
    if drawn:
        gc.collect(1)  # as happens by itself while pages are drawn
    for _ in range(10):
        await asyncio.sleep(0)
    task.cancel()


def spend(drawn: bool) -> None:
    """In a thread of its own: where a browser test went before, this one has a loop that runs."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, some_time(drawn)).result()


def test_an_old_circle_goes_once_something_was_drawn() -> None:
    circle = Circle()
    gone = weakref.ref(circle)
    gc.collect()  # so it is old, and a look at the young ones does not find it
    del circle
    spend(drawn=True)
    assert gone() is None


def test_while_nothing_is_drawn_nothing_is_collected() -> None:
    before = collections()
    spend(drawn=False)
    assert collections() == before


def test_the_system_gets_back_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    garbage.give_back()  # with the real library, whichever that is
    asked: list[int] = []
    library = SimpleNamespace(malloc_trim=asked.append)
    monkeypatch.setattr(garbage.ctypes, "CDLL", lambda _name: library)
    garbage.give_back()
    assert asked == ([0] if sys.platform == "linux" else [])
