"""Garbage is collected once a second, while pages are drawn.

A figure of plotly and its parts hold each other, and with them whole recordings: until they are
collected these stay in memory. Streamlit would collect after every page, which takes 25 ms once a
class has filled the caches, and holds up all threads; Python alone does it too seldom.
"""

import asyncio
import gc

EVERY = 1.0
"""Seconds from one collection to the next."""


async def collect_garbage() -> None:
    """Collect for ever, whenever something was left since the last time."""
    seen = _left()
    while True:
        await asyncio.sleep(EVERY)
        if _left() != seen:
            gc.collect()
            seen = _left()


def _left() -> int:
    """Count how often the younger generations were collected: each time some 7,000 objects on."""
    return gc.get_stats()[1]["collections"]
