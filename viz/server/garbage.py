"""Garbage collection every five seconds, while pages are drawn.

Plotly's figures and their parts refer to each other, and keep whole recordings in memory until they
are collected. Streamlit would collect after every page, which takes 25 ms once a class has filled
the caches, and stops all threads. Python alone collects too rarely.
"""

import asyncio
import ctypes
import gc
import sys

EVERY = 5.0
"""Seconds from one collection to the next."""


def give_back() -> None:
    """Return unused memory to the system, as every page has a thread with its own.

    Only Linux's own library, glibc, needs this call.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


async def collect_garbage() -> None:
    """Collect forever, whenever objects were left since the last time."""
    seen = _left()
    while True:
        await asyncio.sleep(EVERY)
        if _left() != seen:
            gc.collect()
            give_back()
            seen = _left()


def _left() -> int:
    """Count the collections of the younger generations, one for every 7,000 objects or so."""
    return gc.get_stats()[1]["collections"]
