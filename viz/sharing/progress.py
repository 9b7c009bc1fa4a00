"""The progress of long work, reported past the kept functions to a bar on the page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from torch import Tensor

from model.decoding.steps import Scorer
from viz.sharing.turns import TURNS

Progress = Callable[[int, int], object]
"""Called with the steps that are done and all steps; an exception from it ends the work."""


def _nobody(_done: int, _all: int) -> None:
    """Tell nobody."""


_PROGRESS: ContextVar[Progress] = ContextVar("progress", default=_nobody)


def report(done: int, all_: int) -> None:
    """Report that `done` of `all_` steps are done, and let others go first if they waited."""
    _PROGRESS.get()(done, all_)
    TURNS.pass_on()


def reporting(scorer: Scorer, expected: int) -> Scorer:
    """Let a scorer report how long the prefixes are that it is asked for, of those expected."""

    def score(prefixes: Tensor) -> Tensor:
        report(min(prefixes.size(1), expected), expected)
        return scorer(prefixes)

    return score


@contextmanager
def told(progress: Progress) -> Iterator[None]:
    """Pass the reports of this thread inside on to `progress`."""
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)
