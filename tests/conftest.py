"""For all tests: what they are marked as, what runs by itself, and in which order."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.changes import changed
from tests.elsewhere import strip_ours

# Before numpy and torch are imported, and for the programs that tests start. With a worker on each
# core a second thread only waits: a page that decomposes a matrix then takes thrice the time.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
# Nine servers would each measure on all examples ahead, for visitors that never come.
os.environ.setdefault("HEADLIGHT_MEASURES_AHEAD", "0")

MARKS = {
    "test_style.py": ("style", "the linters and the limits, over the whole project"),
    "browser": ("browser", "pages in Chromium"),
    "server": ("server", "a server with its visitors"),
    "app": ("app", "walks through pages without a browser"),
    "viz/live": ("live", "the model in the page, in Node"),
    "model/training": ("training", "a model is trained, for some steps"),
}
"""The slow tests: the mark of each folder or file, and what it says. The first run first."""

QUICK = " and ".join(f"not {mark}" for mark, _ in MARKS.values())

HERE = Path(__file__).parent

CHANGING = {
    "training": ("model/training", "model/learning", "tests/model/training"),
    "recurrent": ("model/recurrent", "tests/model/recurrent"),
}
"""Marks of tests that a run of all leaves out if nothing has changed in these places.

Some of these folders have no such mark: they say whether the rest of `model` still suits them.
"""

NIGHTLY = "--nightly"

OTHERS = {
    "nightly": "more of what a test of each run looks at",
    "recurrent": "one more kind of recurrent model",
    "always": "among the tests of training, one of each run",
}
"""Marks that tests give themselves."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run of all include what nothing has changed for, and the nightly tests."""
    parser.addoption(NIGHTLY, action="store_true", help="all tests, the nightly ones, too")


@pytest.fixture(autouse=True)
def _own_main_module() -> Iterator[None]:
    """Put the main module back, which AppTest replaces: a spawned process would run its script."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(autouse=True)
def _other_systems() -> None:
    """Run our code as on a system without POSIX: see `tests.elsewhere`."""
    strip_ours()


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run what is quick, on two cores, where neither files nor marks say what to run."""
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not whole or any(arg.startswith("-m") for arg in config.invocation_params.args):
        return
    config.option.markexpr = QUICK  # each worker sets it, too: it is told the command line alone
    worker = "PYTEST_XDIST_WORKER" in os.environ
    if config.option.numprocesses is None and not config.option.usepdb and not worker:
        config.option.numprocesses, config.option.dist = 2, "worksteal"


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest the marks."""
    for mark, meaning in MARKS.values():
        config.addinivalue_line("markers", f"{mark}: {meaning}")
    for mark, meaning in OTHERS.items():
        config.addinivalue_line("markers", f"{mark}: {meaning}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test by its folder, and put the slow ones first; a file's own order stays.

    A run of all leaves out the nightly tests, and those of `CHANGING` that nothing has changed for.
    """
    ranks = {HERE / place: rank for rank, place in enumerate(MARKS)}
    rank_of = {item: _rank(item.path, ranks) for item in items}
    names = [mark for mark, _ in MARKS.values()]
    for item, rank in rank_of.items():
        if rank < len(names):
            item.add_marker(names[rank])
    items.sort(key=lambda item: rank_of[item])
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if whole and not config.getoption(NIGHTLY):
        late = {item for item in items if item.get_closest_marker("nightly")}
        for mark, places in CHANGING.items():
            if not config.option.markexpr and not changed(HERE.parent, places):
                late |= {item for item in items if item.get_closest_marker(mark)}
        late -= {item for item in items if item.get_closest_marker("always")}
        config.hook.pytest_deselected(items=[*late])
        items[:] = [item for item in items if item not in late]


def _rank(path: Path, ranks: dict[Path, int]) -> int:
    """Return the place of a test file's folder among those with a mark; their number for others."""
    return next((ranks[place] for place in (path, *path.parents) if place in ranks), len(ranks))
