"""A class on one server: all see the teacher's move, and every answer is counted."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.classroom import hold_class
from browser.server import running_app
from viz.classroom.place import room

STUDENTS = 16
"""Enough to ask and to answer at once; `benchmarks.load` holds a class of a hundred."""


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server whose classes lie in a folder of their own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    room.cache_clear()
    with running_app(tmp_path / "log.txt", cold=True) as address:
        yield address
    room.cache_clear()


def test_a_class_follows_and_answers_without_a_mistake(address: str) -> None:
    with ThreadPoolExecutor(1) as alone:  # Playwright's loop runs in this thread
        held = alone.submit(asyncio.run, hold_class(address, STUDENTS, moves=2))
        seen = held.result(timeout=380)
    assert seen.errors == []
    assert len(seen.after) == 2 * STUDENTS
    assert len(seen.answers) == STUDENTS
