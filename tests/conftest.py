"""For all tests: their order, and no threads that wait for each other."""

import os
from pathlib import Path

import pytest

# Before numpy and torch are imported, and for the programs that tests start. With a worker on each
# core a second thread only waits: a page that decomposes a matrix then takes thrice the time.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

FIRST = ("browser", "test_style.py", "server", "app", "model", "viz")
"""Folders and files, those with the longest tests first; what is not named comes last."""

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first, so that two workers end together; a file's own order stays."""
    ranks = {name: rank for rank, name in enumerate(FIRST)}
    items.sort(key=lambda item: ranks.get(item.path.relative_to(HERE).parts[0], len(FIRST)))
