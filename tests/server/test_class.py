"""A class on one server: all see the teacher's move, and every answer is counted."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.classroom import hold_class
from browser.server import running_app
from viz.classroom.place import room

STUDENTS = 40
"""Those of a large class; `benchmarks.load` holds one of a hundred."""

SEEN = 20.0
"""Seconds in which all see a move on a busy machine; `benchmarks.load` tells of a quiet one."""


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server whose classes lie in a folder of their own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    room.cache_clear()
    with running_app(tmp_path / "log.txt") as address:
        yield address
    room.cache_clear()


def test_a_class_follows_and_answers_without_a_mistake(address: str) -> None:
    with ThreadPoolExecutor(1) as alone:  # Playwright's loop runs in this thread
        held = alone.submit(asyncio.run, hold_class(address, STUDENTS, moves=2, every=SEEN))
        seen = held.result(timeout=300)
    assert seen.errors == []
    assert len(seen.after) == 2 * STUDENTS
    assert max(seen.after) < SEEN
    assert len(seen.answers) == STUDENTS
