"""Work of more than a moment shows what is done, and ends when it is stopped."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.delta_generator import DeltaGenerator

from model.decoding.beam import Beam
from model.learning.recipe import Recipe
from tests.app.conftest import OpenPage
from tests.app.test_heavy import LONG
from viz.compute import decodes, learning, pairs, runs
from viz.compute.runs import Subject
from viz.sharing.progress import report, told
from viz.shell import heavy


class Stopped(Exception):
    """Raised by who watches."""


class Place:
    """A place on a page that keeps what was written to it."""

    def __init__(self) -> None:
        self.said: list[object] = []

    def progress(self, share: float, text: str) -> None:
        self.said.append((share, text))

    def empty(self) -> None:
        self.said.append("empty")


WORK: dict[str, Callable[[], Any]] = {
    "a fresh sentence": lambda: runs.run(f"{LONG} today"),
    "a pair": lambda: pairs.pair(f"{LONG} now", f"{LONG} then"),
    "a decode": lambda: decodes.decode(Subject(f"{LONG} here")),
    "a beam search": lambda: decodes.decode(Subject(f"{LONG} there"), Beam(2, 0.6)),
    "steps of descent": lambda: learning.descent(
        "The cat sleeps.", None, Recipe(4, 0.1, "plain", "trained")
    ),
}


@pytest.mark.parametrize("name", WORK)
def test_long_work_tells_how_far_it_is_and_can_be_stopped(name: str) -> None:
    heard: list[tuple[int, int]] = []

    def stop(done: int, all_: int) -> None:
        heard.append((done, all_))
        if len(heard) == 3:
            raise Stopped

    with told(stop), pytest.raises(Stopped):
        WORK[name]()
    assert len(heard) == 3
    assert all(0 < done <= all_ for done, all_ in heard)


def test_a_bar_is_drawn_once_work_takes_longer_than_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place, now = Place(), [0.0]
    monkeypatch.setattr(heavy.st, "empty", lambda: place)
    monkeypatch.setattr(heavy.time, "monotonic", lambda: now[0])
    with heavy.shown("Translating"):
        report(1, 4)
        assert place.said == []
        now[0] = heavy.SOON + 0.01
        report(2, 4)
        assert place.said == [(0.5, "Translating")]
    assert place.said[-1] == "empty"


def test_a_page_says_that_it_translates(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "SOON", -1.0)
    seen: list[str] = []
    shown = DeltaGenerator.progress

    def progress(self: Any, value: float, text: str = "") -> Any:  # noqa: ANN401
        seen.append(text)
        return shown(self, value, text)

    monkeypatch.setattr(DeltaGenerator, "progress", progress)
    page = open_page("attention", sentence="A sentence that nobody has asked for yet.")
    assert not page.exception
    assert set(seen) == {"Translating, and recording every layer"}
    seen.clear()
    page = open_page("learning", learning="steps", take="3", eta="0.003")
    assert not page.exception
    assert "Taking 3 steps on a copy of the model" in seen
