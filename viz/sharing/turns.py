"""One thread works at a time; the others wait for their turn in the order of their arrival.

A model's step is some hundred small products, and Python's lock is released for each of them. When
thirty threads compute or draw at that moment, each product waits for one of them: a page then costs
twice the CPU, and all pages are late. So a thread draws a page, or computes a kept result, only
while it has the turn. It gives up the turn while it waits for another thread. One thread may work
beside the others without the turn, on what no visitor is waiting for.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

SLICE = 0.25
"""The seconds after which long work gives up the turn, at its next report of progress."""


class Turns:
    """The turn, which one thread holds; that thread may take it a second time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._since = 0.0
        self._waiting: deque[tuple[int, threading.Event]] = deque()
        self._beside: int | None = None

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the turn inside the block; the thread that works beside the others needs none."""
        if threading.get_ident() in (self._owner, self._beside):
            yield
            return
        self._enter()
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Work beside the other threads inside the block, and let them go first at every report.

        Only one thread can do so; a second one takes the turn instead.
        """
        me = threading.get_ident()
        with self._lock:
            free = self._beside is None
            if free:
                self._beside = me
        if not free:
            with self.taken():
                yield
            return
        try:
            yield
        finally:
            self._beside = None

    @contextmanager
    def left(self) -> Iterator[None]:
        """Give up the turn inside the block, to wait there for the result of another thread."""
        if not self._mine():
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter()

    def pass_on(self) -> None:
        """Let others go first if this thread works beside them or has had its turn for long."""
        if self._beside == threading.get_ident():
            self._enter()
            self._leave()
        elif self._mine() and self._waiting and time.monotonic() - self._since > SLICE:
            with self.left():
                pass

    @property
    def waited_for(self) -> bool:
        """Tell whether any thread is waiting for the turn."""
        return bool(self._waiting)

    def _mine(self) -> bool:
        return self._owner == threading.get_ident()

    def _enter(self) -> None:
        me = threading.get_ident()
        called = threading.Event()
        with self._lock:
            if self._owner is None:
                self._owner = me
                called.set()
            else:
                self._waiting.append((me, called))
        called.wait()
        self._since = time.monotonic()

    def _leave(self) -> None:
        with self._lock:
            self._owner = None
            if self._waiting:
                self._owner, called = self._waiting.popleft()
                called.set()


TURNS = Turns()
"""The turns of the whole server."""
