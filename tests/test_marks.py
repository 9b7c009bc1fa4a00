"""The marks that leave slow tests out of the quick run."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest
from tests.changes import changed
from tests.conftest import (
    HERE,
    MARKS,
    QUICK,
    pytest_cmdline_main,
    pytest_collection_modifyitems,
)


def test_every_place_with_a_mark_has_tests() -> None:
    """One that moves would otherwise run among the quick ones."""
    places = [HERE / place for place in MARKS]
    assert [place for place in places if not (place.is_file() or [*place.rglob("test_*.py")])] == []


@pytest.mark.parametrize(("args", "chosen"), [(("-q",), QUICK), (("-q", "-m", "app"), "app")])
def test_a_worker_runs_what_its_master_chose(
    monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], chosen: str
) -> None:
    """It is told the command line alone."""
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    asked = args[args.index("-m") + 1] if "-m" in args else ""
    config: Any = SimpleNamespace(
        args_source=pytest.Config.ArgsSource.TESTPATHS,
        invocation_params=SimpleNamespace(args=args),
        option=SimpleNamespace(markexpr=asked, numprocesses=None, dist="no", usepdb=False),
    )
    pytest_cmdline_main(config)
    assert (config.option.markexpr, config.option.numprocesses) == (chosen, None)


class Collected:
    """A test as pytest collects it, with the name of its mark; an `always` is one of training."""

    def __init__(self, mark: str) -> None:
        self.mark, self.path = mark, HERE / "test_one.py"

    def get_closest_marker(self, name: str) -> str | None:
        marks = (self.mark, "training") if self.mark == "always" else (self.mark,)
        return name if name in marks else None


SOURCE = pytest.Config.ArgsSource
ALL = ["browser", "nightly", "training", "recurrent", "always"]


@pytest.mark.parametrize(
    ("source", "nightly", "model_changed", "left"),
    [
        (SOURCE.TESTPATHS, False, False, ["browser", "always"]),
        (SOURCE.TESTPATHS, False, True, ["browser", "training", "recurrent", "always"]),
        (SOURCE.TESTPATHS, True, False, ALL),
        (SOURCE.ARGS, False, False, ALL),
    ],
)
def test_a_run_of_all_leaves_out_the_nightly_tests_and_those_that_nothing_changed_for(
    monkeypatch: pytest.MonkeyPatch,
    source: object,
    nightly: bool,
    model_changed: bool,
    left: list[str],
) -> None:
    monkeypatch.setattr(conftest, "changed", lambda _root, _places: model_changed)
    config: Any = SimpleNamespace(
        args_source=source,
        option=SimpleNamespace(markexpr=""),
        getoption=lambda _name: nightly,
        hook=SimpleNamespace(pytest_deselected=lambda items: items),
    )
    items: list[Any] = [Collected(mark) for mark in ALL]
    pytest_collection_modifyitems(config, items)
    assert [item.mark for item in items] == left


def test_what_has_changed_lately_is_known_and_else_taken_for_changed(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        name = ("-c", "user.name=t", "-c", "user.email=t@t.test")
        subprocess.run(["git", *name, *arguments], cwd=tmp_path, check=True, timeout=60)

    assert changed(tmp_path, ("model",))  # no history
    git("init", "-q", "-b", "main")
    for place in ("model", "viz"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "one.py").write_text("1", encoding="utf-8")
    git("add", ".")
    git("commit", "-q", "-m", "Begin")
    assert changed(tmp_path, ("model",))  # the history is too short to say
    git("switch", "-q", "-c", "branch")
    (tmp_path / "viz" / "one.py").write_text("2", encoding="utf-8")
    git("commit", "-q", "-a", "-m", "Go on")
    assert changed(tmp_path, ("viz",))
    (tmp_path / "model" / "README.md").write_text("2", encoding="utf-8")
    assert not changed(tmp_path, ("model",))
    (tmp_path / "model" / "two.py").write_text("2", encoding="utf-8")
    assert changed(tmp_path, ("model",))
