"""Background work of the server; an error that ends it is logged, as nobody else would see it."""

import logging
from collections.abc import Awaitable, Callable

_LOG = logging.getLogger(__name__)


async def logged(work: Callable[[], Awaitable[object]]) -> None:
    """Do some work and, if an exception ends it, log that."""
    try:
        await work()
    except Exception:
        _LOG.exception("%s has ended", getattr(work, "__name__", work))
