"""The marks that leave slow tests out of the quick run."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import HERE, MARKS, QUICK, pytest_cmdline_main


def test_every_place_with_a_mark_has_tests() -> None:
    """One that moves would otherwise run among the quick ones."""
    places = [HERE / place for place in MARKS]
    assert [place for place in places if not (place.is_file() or [*place.rglob("test_*.py")])] == []


def test_what_is_quick_has_no_mark() -> None:
    assert QUICK == "not linters and not browser and not server and not app and not training"


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
