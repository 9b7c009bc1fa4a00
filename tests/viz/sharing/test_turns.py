"""Who computes when: one at a time, in the order in which they came."""

import threading
import time
from collections.abc import Callable

import pytest

from viz.compute.models import kept
from viz.sharing import kept as shelves
from viz.sharing import progress, queue, turns
from viz.sharing.queue import Queue
from viz.sharing.turns import Turns

LONG = 10


def until(there: Callable[[], bool]) -> None:
    """Wait until something is there."""
    end = time.monotonic() + LONG
    while not there():
        assert time.monotonic() < end, "what was waited for never came"
        time.sleep(0.001)


def begun(work: list[threading.Thread]) -> None:
    for one in work:
        one.start()
    for one in work:
        one.join(LONG)
        assert not one.is_alive(), "a thread waits for ever"


def test_one_works_at_a_time_and_the_first_who_waits_is_next() -> None:
    row, order, inside = Turns(), list[int](), list[int]()
    first, all_wait = threading.Event(), threading.Event()

    def work(number: int) -> None:
        with row.taken(), row.taken():  # twice over
            inside.append(number)
            first.set()
            assert all_wait.wait(LONG)
            assert len(inside) == 1
            inside.remove(number)
            order.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    threads[0].start()
    assert first.wait(LONG)
    for number, thread in enumerate(threads[1:]):
        thread.start()
        until(lambda: len(row._waiting) == number + 1)  # noqa: B023
    all_wait.set()
    for thread in threads:
        thread.join(LONG)
    assert order == list(range(6))


def test_long_work_lets_others_go_first_when_it_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    row, order = Turns(), list[str]()
    monkeypatch.setattr(turns, "SLICE", 0.0)
    monkeypatch.setattr(progress, "TURNS", row)
    started = threading.Event()

    def long() -> None:
        with row.taken():
            started.set()
            until(lambda: bool(row._waiting))
            progress.report(1, 2)
            order.append("long")

    def short() -> None:
        assert started.wait(LONG)
        with row.taken():
            order.append("short")

    begun([threading.Thread(target=long), threading.Thread(target=short)])
    assert order == ["short", "long"]


def test_what_nobody_waits_for_is_done_beside_and_waits_at_its_reports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row, order = Turns(), list[str]()
    monkeypatch.setattr(progress, "TURNS", row)
    working, taken = threading.Event(), threading.Event()

    def beside() -> None:
        with row.beside(), row.taken():  # the turn of others is not asked for
            working.set()
            assert taken.wait(LONG), "a page waits for work beside it"
            progress.report(1, 2)
            order.append("beside")

    def page() -> None:
        assert working.wait(LONG)
        with row.taken():
            taken.set()
            until(lambda: bool(row._waiting))
            order.append("page")

    begun([threading.Thread(target=beside), threading.Thread(target=page)])
    assert order == ["page", "beside"]


def test_only_one_thread_works_beside_the_others() -> None:
    row = Turns()
    first, second, done = threading.Event(), threading.Event(), threading.Event()

    def ahead() -> None:
        with row.beside():
            first.set()
            assert done.wait(LONG)

    def another() -> None:
        assert first.wait(LONG)
        with row.beside():
            second.set()

    def page() -> None:
        assert first.wait(LONG)
        with row.taken():
            other.start()
            until(lambda: bool(row._waiting))
            assert not second.is_set()
        assert second.wait(LONG)
        done.set()

    other = threading.Thread(target=another)
    begun([threading.Thread(target=ahead), threading.Thread(target=page)])
    other.join(LONG)
    with row.taken():
        pass  # nobody has kept the turn


def test_whoever_waits_for_a_result_lets_its_maker_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The maker of a part has to wait for a turn that somebody holds who needs that part."""
    row, asked, counted = Turns(), threading.Event(), list[str]()
    monkeypatch.setattr(shelves, "TURNS", row)

    @kept
    def part() -> tuple[str]:
        counted.append("part")
        return ("part",)

    @kept
    def whole() -> tuple[str, str]:
        asked.set()
        until(lambda: bool(row._waiting))  # the other has the part's lock, and waits for this turn
        return ("whole", *part())

    def other() -> None:
        assert asked.wait(LONG)
        part()

    results: list[tuple[str, str]] = []
    begun(
        [threading.Thread(target=lambda: results.append(whole())), threading.Thread(target=other)]
    )
    assert results == [("whole", "part")]
    assert counted == ["part"]


def test_whoever_waits_in_the_queue_lets_others_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one before needs the turn that the next one in the queue held as it came."""
    row, heavy, order = Turns(), Queue(), list[str]()
    monkeypatch.setattr(queue, "TURNS", row)
    first, second = threading.Event(), threading.Event()

    def before() -> None:
        with heavy.turn(lambda _before: None):
            first.set()
            assert second.wait(LONG)
            with row.taken():
                order.append("before")

    def after() -> None:
        assert first.wait(LONG)
        with row.taken(), heavy.turn(lambda _before: second.set()):
            assert row._mine()
            order.append("after")

    begun([threading.Thread(target=before), threading.Thread(target=after)])
    assert order == ["before", "after"]


def test_an_error_gives_the_turn_back() -> None:
    row = Turns()
    with pytest.raises(ValueError, match="no"), row.taken():
        raise ValueError("no")
    with row.taken():
        pass
