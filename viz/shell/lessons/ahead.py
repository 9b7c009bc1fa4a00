"""The scenes that are likely to come next, which the server opens while visitors look at others.

What a page asks of the model is kept for all visitors, so a scene that was opened before appears
without delay.
"""

import time
from collections import OrderedDict
from threading import Lock

from viz.sharing.turns import TURNS

MOST, AGAIN = 8, 600.0
"""The most scenes that wait to be opened, and the seconds before one may be opened again."""


class Ahead:
    """Links of scenes to be opened, each at most every AGAIN seconds; threads may share it."""

    def __init__(self) -> None:
        self._wanted: OrderedDict[str, None] = OrderedDict()
        self._opened: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def ask(self, link: str) -> None:
        """Ask for a scene by its link; if too many wait, the oldest requests are dropped."""
        with self._lock:
            if time.monotonic() < self._opened.get(link, 0.0):
                return
            self._wanted[link] = None
            while len(self._wanted) > MOST:
                self._wanted.popitem(last=False)

    def take(self) -> str | None:
        """Return the link of the next scene to open; None if none is left, or a visitor waits."""
        with self._lock:
            if not self._wanted or TURNS.waited_for:
                return None
            link, _ = self._wanted.popitem(last=False)
            self._opened[link] = time.monotonic() + AGAIN
            while len(self._opened) > 100:
                self._opened.popitem(last=False)
            return link


AHEAD = Ahead()
"""The scenes that this server's visitors are likely to open next."""
