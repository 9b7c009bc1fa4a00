"""How far long work has come, told to whoever shows it without passing through what is kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from model.decoding.steps import Progress
from viz.sharing.turns import TURNS


def _nobody(_done: int, _all: int) -> None:
    """Tell nobody."""


_PROGRESS: ContextVar[Progress] = ContextVar("progress", default=_nobody)


def report(done: int, all_: int) -> None:
    """Say that `done` of `all_` steps are done, which is when others may go first."""
    _PROGRESS.get()(done, all_)
    TURNS.pass_on()


@contextmanager
def told(progress: Progress) -> Iterator[None]:
    """Let `progress` hear what is reported inside, in this thread."""
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)
