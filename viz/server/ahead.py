"""Opening the scenes that are likely to come next, one at a time, so that they are computed."""

import asyncio
from contextlib import suppress

from viz.server.warm_up import FirstVisitor
from viz.shell.lessons.ahead import AHEAD

PAUSE = 0.5
"""The seconds between two scenes, so that visitors go first."""


async def open_ahead() -> None:
    """Open scenes forever; errors are left for the visitor who opens the page."""
    while True:
        await asyncio.sleep(PAUSE)
        if link := AHEAD.take():
            page, _mark, query = link.partition("?")
            visitor = FirstVisitor()
            with suppress(RuntimeError, TimeoutError):
                await visitor.open(page, query)
            visitor.leave()
