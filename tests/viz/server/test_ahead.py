"""Scenes that are opened before anybody comes there: each once, behind all visitors."""

import asyncio
import threading

import pytest

from tests.fixtures.loops import run_apart
from viz.server import ahead
from viz.sharing.turns import TURNS
from viz.shell.lessons.ahead import AGAIN, MOST, Ahead


def taken(scenes: Ahead) -> list[str]:
    found: list[str] = []
    while link := scenes.take():
        found.append(link)
    return found


def test_a_scene_is_opened_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    scenes = Ahead()
    for link in ("head?scene=2", "head?scene=2", "layers?scene=3"):
        scenes.ask(link)
    assert taken(scenes) == ["head?scene=2", "layers?scene=3"]
    scenes.ask("head?scene=2")
    assert taken(scenes) == []
    now = AGAIN + 1
    scenes.ask("head?scene=2")
    assert taken(scenes) == ["head?scene=2"]


def test_of_too_many_the_last_are_opened() -> None:
    scenes = Ahead()
    for number in range(MOST + 3):
        scenes.ask(f"head?scene={number}")
    assert taken(scenes) == [f"head?scene={number}" for number in range(3, MOST + 3)]


def test_nothing_is_opened_while_a_visitor_waits() -> None:
    scenes = Ahead()
    scenes.ask("head?scene=2")
    waiting = threading.Thread(target=TURNS.taken()(lambda: None))
    with TURNS.taken():
        waiting.start()
        while not TURNS.waited_for and waiting.is_alive():
            pass
        assert scenes.take() is None
    waiting.join(timeout=60)
    assert scenes.take() == "head?scene=2"


def test_the_server_opens_them_and_leaves_again(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    class Opened:
        async def open(self, page: str, query: str) -> None:
            done.append(f"{page}?{query}")
            if page == "broken":
                raise RuntimeError

        def leave(self) -> None:
            done.append("left")

    scenes = Ahead()
    for link in ("broken?scene=1", "head?scene=2"):
        scenes.ask(link)
    monkeypatch.setattr(ahead, "AHEAD", scenes)
    monkeypatch.setattr(ahead, "FirstVisitor", Opened)
    monkeypatch.setattr(ahead, "PAUSE", 0.001)

    async def work() -> None:
        task = asyncio.create_task(ahead.open_ahead())
        while len(done) < 4:
            await asyncio.sleep(0.001)
        task.cancel()

    run_apart(work())
    assert done == ["broken?scene=1", "left", "head?scene=2", "left"]
