"""One server for all workers of a run: whoever comes first starts it, and ends it after all."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest


def folder_of_the_run(factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the workers of this run share."""
    folder = factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return a folder that the first process of a run makes, and for which the others wait."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        whole = folder.with_suffix(".whole")
        if not whole.exists():
            make(folder)
            whole.touch()
    return folder


@contextmanager
def shared(folder: Path, start: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """Yield the address of a server of which the processes that share a folder have one.

    The first one starts it, and at its own end waits until no other uses it. A process that dies
    loses its locks, and nobody waits for it.
    """
    address = folder / "address"
    with ExitStack() as own, (folder / "users").open("w") as users:
        with (folder / "turn").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            first = not address.exists()
            if first:
                address.write_text(own.enter_context(start()), encoding="utf-8")
            fcntl.flock(users, fcntl.LOCK_SH)
        yield address.read_text(encoding="utf-8")
        if first:
            fcntl.flock(users, fcntl.LOCK_UN)
            with (folder / "turn").open("w") as turn:
                fcntl.flock(turn, fcntl.LOCK_EX)  # nobody comes now
                fcntl.flock(users, fcntl.LOCK_EX)  # and nobody is there any more
                address.unlink()
