"""How far long work has come, told to whoever shows it without passing through what is kept."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from torch import Tensor

from model.decoding.steps import Scorer
from viz.sharing.turns import TURNS

Progress = Callable[[int, int], object]
"""Told how many steps of how many are done; what it raises ends the work."""


def _nobody(_done: int, _all: int) -> None:
    """Tell nobody."""


_PROGRESS: ContextVar[Progress] = ContextVar("progress", default=_nobody)


def report(done: int, all_: int) -> None:
    """Say that `done` of `all_` steps are done, which is when others may go first."""
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
    """Let `progress` hear what is reported inside, in this thread."""
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)
