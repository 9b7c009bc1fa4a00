"""A queue for work that is too heavy to be done for several visitors at once."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

from viz.sharing.turns import TURNS

MOST_WAITING = 12


class QueueFull(Exception):
    """The error of a full queue, in which one more visitor would wait too long."""


class Queue:
    """A queue that gives turns in order, and tells those who wait how many are before them."""

    def __init__(self) -> None:
        """Start empty."""
        self._changed = Condition()
        self._tickets: deque[object] = deque()

    @contextmanager
    def turn(self, say: Callable[[int], None]) -> Iterator[None]:
        """Wait for a turn and hold it inside the block.

        `say` is called with the number of those who come first, at the beginning and whenever it
        changes; it is not called at all when the queue is empty. If it raises an error, the place
        in the queue is given up. Raises QueueFull when MOST_WAITING are waiting already.
        """
        ticket = object()
        with self._changed:
            if len(self._tickets) > MOST_WAITING:
                raise QueueFull
            self._tickets.append(ticket)
        try:
            with TURNS.left():  # a thread that comes first may need it
                self._wait(ticket, say)
            yield
        finally:
            with self._changed:
                self._tickets.remove(ticket)
                self._changed.notify_all()

    def _wait(self, ticket: object, say: Callable[[int], None]) -> None:
        before = self._before(ticket)
        while before:
            say(before)
            with self._changed:
                while (now := self._tickets.index(ticket)) == before:
                    self._changed.wait()
            before = now

    def _before(self, ticket: object) -> int:
        with self._changed:
            return self._tickets.index(ticket)


HEAVY = Queue()
"""The only queue, shared by all pages, for work that keeps a core busy for more than a moment."""
