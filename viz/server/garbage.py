"""Garbage collection every five seconds, as long as pages are drawn.

Plotly's figures and their parts refer to each other, so they keep whole recordings in memory until
they are collected. Streamlit would collect after every page; that takes 25 ms once a class has
filled the caches, and stops all threads. Python by itself collects too rarely.
"""

import asyncio
import ctypes
import gc
import sys

EVERY = 5.0
"""Seconds from one collection to the next."""


def give_back() -> None:
    """Return unused memory to the system; every page is drawn by a thread that holds some.

    Only the C library of Linux, glibc, needs this call.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


async def collect_garbage() -> None:
    """Collect garbage again and again, unless no objects were made since the last time."""
    counted = _collections()
    while True:
        await asyncio.sleep(EVERY)
        if _collections() != counted:
            gc.collect()
            give_back()
            counted = _collections()


def _collections() -> int:
    """Count Python's collections of the second generation: one for about every 7,000 objects."""
    return gc.get_stats()[1]["collections"]
