"""The marks that leave slow tests out of the quick run."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.changes import changed
from tests.conftest import HERE, MARKS, QUICK, pytest_cmdline_main


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
    assert not changed(tmp_path, ("model",))
    (tmp_path / "model" / "two.py").write_text("2", encoding="utf-8")
    assert changed(tmp_path, ("model",))
