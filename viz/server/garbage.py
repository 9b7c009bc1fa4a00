"""Garbage is collected every five seconds, while pages are drawn.

A figure of plotly and its parts hold each other, and with them whole recordings: until they are
collected these stay in memory. Streamlit would collect after every page, which takes 25 ms once a
class has filled the caches, and holds up all threads; Python alone does it too seldom.
"""

import asyncio
import ctypes
import gc
import sys

EVERY = 5.0
"""Seconds from one collection to the next."""


def give_back() -> None:
    """Give memory that nobody uses back to the system: every page has a thread with its own.

    Only Linux's own library, glibc, has to be asked.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


async def collect_garbage() -> None:
    """Collect for ever, whenever something was left since the last time."""
    seen = _left()
    while True:
        await asyncio.sleep(EVERY)
        if _left() != seen:
            gc.collect()
            give_back()
            seen = _left()


def _left() -> int:
    """Count how often the younger generations were collected: each time some 7,000 objects on."""
    return gc.get_stats()[1]["collections"]
