import threading

import pytest

from viz.sharing.queue import MOST_WAITING, Queue, QueueFull

PATIENCE = 10


def quiet(before: int) -> None:
    raise AssertionError(f"nobody should be before, but {before} are")


def test_the_first_one_does_not_wait() -> None:
    queue = Queue()
    for _ in range(2):
        with queue.turn(quiet):
            pass


def test_turns_come_in_the_order_of_asking_and_those_waiting_are_told() -> None:
    queue, order, said = Queue(), [], {1: [], 2: []}
    told = {name: threading.Event() for name in said}

    def visitor(name: int) -> None:
        def say(before: int) -> None:
            said[name].append(before)
            told[name].set()

        with queue.turn(say):
            order.append(name)

    threads = []
    with queue.turn(quiet):
        for name in (1, 2):
            thread = threading.Thread(target=visitor, args=(name,))
            thread.start()
            assert told[name].wait(PATIENCE)
            threads.append(thread)
        assert order == []
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [1, 2]
    assert said[1] == [1]
    assert said[2][0] == 2
    assert set(said[2]) <= {2, 1}


def test_one_at_a_time_is_inside() -> None:
    queue, inside, most = Queue(), [], []

    def visitor() -> None:
        with queue.turn(lambda _before: None):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=visitor) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert most == [1] * 8


def test_who_goes_away_or_fails_leaves_the_queue() -> None:
    queue = Queue()

    def leave(_before: int) -> None:
        raise RuntimeError("the visitor moved on")

    with queue.turn(quiet), pytest.raises(RuntimeError, match="moved on"), queue.turn(leave):
        pass
    with pytest.raises(ZeroDivisionError), queue.turn(quiet):
        _ = 1 / 0
    with queue.turn(quiet):
        pass


def test_too_many_are_sent_away() -> None:
    queue, done = Queue(), threading.Event()
    told = [threading.Event() for _ in range(MOST_WAITING)]

    def visitor(number: int) -> None:
        with queue.turn(lambda _before: told[number].set()):
            done.wait(PATIENCE)

    threads = [threading.Thread(target=visitor, args=(n,)) for n in range(MOST_WAITING)]
    with queue.turn(quiet):
        for thread, event in zip(threads, told, strict=True):
            thread.start()
            assert event.wait(PATIENCE)
        with pytest.raises(QueueFull), queue.turn(quiet):
            pass
    done.set()
    for thread in threads:
        thread.join(PATIENCE)
    with queue.turn(quiet):
        pass
