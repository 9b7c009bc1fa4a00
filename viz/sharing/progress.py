"""The progress of long work, which passes through the kept functions to a bar on the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from model.decoding.steps import Progress
from viz.sharing.turns import TURNS


def _nobody(_done: int, _all: int) -> None:
    """Ignore a report: nobody is listening."""


_PROGRESS: ContextVar[Progress] = ContextVar("progress", default=_nobody)


def report(done: int, all_: int) -> None:
    """Report that `done` of `all_` steps are done, and let waiting threads go first."""
    _PROGRESS.get()(done, all_)
    TURNS.pass_on()


@contextmanager
def told(progress: Progress) -> Iterator[None]:
    """Pass the reports that this thread makes inside the block on to `progress`."""
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)
