"""The scenes that are likely to come next, which the server opens while others are looked at.

What a page asks of the model is kept for all visitors: what was opened once is there at once.
"""

import time
from collections import OrderedDict
from threading import Lock

from viz.sharing.turns import TURNS

MOST, AGAIN = 8, 600.0
"""The most scenes that are waited for, and the seconds after which one is opened anew."""


class Ahead:
    """Links of scenes, each asked for once in a while; safe for threads."""

    def __init__(self) -> None:
        self._wanted: OrderedDict[str, None] = OrderedDict()
        self._opened: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def ask(self, link: str) -> None:
        """Ask for a scene by its link; of too many, those go that were asked for first."""
        with self._lock:
            if time.monotonic() < self._opened.get(link, 0.0):
                return
            self._wanted[link] = None
            while len(self._wanted) > MOST:
                self._wanted.popitem(last=False)

    def take(self) -> str | None:
        """Return the next scene to open; None where there is none, or a visitor waits."""
        with self._lock:
            if not self._wanted or TURNS.waited_for:
                return None
            link, _ = self._wanted.popitem(last=False)
            self._opened[link] = time.monotonic() + AGAIN
            while len(self._opened) > 100:
                self._opened.popitem(last=False)
            return link


AHEAD = Ahead()
"""What all visitors of this server are likely to ask next."""
