"""`python run.py`: which steps it takes, without taking them."""

import subprocess
import sys
from pathlib import Path

import pytest

import run

LINUX, WINDOWS = "linux", "win32"


class Machine:
    """A machine on which commands are noted, and make what they would make."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "bin" / "python"
        self.commands: list[str] = []
        self.fails: str | None = None

    def call(self, command: list[str], **_: object) -> int:
        said = " ".join(command).replace(str(self.python), "PYTHON")
        self.commands.append(said.removeprefix("PYTHON -m "))
        if " -m venv " in said:
            self.python.parent.mkdir(parents=True)
            self.python.touch()
        return int(self.fails is not None and self.fails in said)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    folder = tmp_path / "environment"
    made = Machine(folder)
    monkeypatch.setattr(subprocess, "call", made.call)
    monkeypatch.chdir(tmp_path)
    for name, value in {"ENVIRONMENT": folder, "PYTHON": made.python}.items():
        monkeypatch.setattr(run, name, value)
    monkeypatch.setattr(run, "DONE", folder / "set-up.txt")
    monkeypatch.setattr(run, "answers", lambda _host: True)
    monkeypatch.setattr(sys, "platform", LINUX)
    return made


INSTALL = "pip install"
SMALL = f"{INSTALL} torch -c requirements.txt --index-url {run.SMALL_TORCH}"


def test_the_first_time_it_sets_up_and_the_second_time_it_starts_at_once(machine: Machine) -> None:
    assert run.main(["--server.port", "8600"]) == 0
    venv, *others = machine.commands
    assert venv.endswith("environment")
    app = "headlight --server.port 8600"
    assert others == [SMALL, f"{INSTALL} -r requirements.txt", app]
    machine.commands.clear()
    assert run.main(["--server.port", "8600"]) == 0
    assert machine.commands == [app]


def test_the_tests_need_more_and_leave_the_app_set_up(machine: Machine) -> None:
    run.main([])
    machine.commands.clear()
    assert run.main(["test", "-k", "words"]) == 0
    check, _, install, tests = machine.commands
    assert (check, install) == ("pip --version", f"{INSTALL} -r requirements-dev.txt")
    assert tests == "pytest -k words"
    machine.commands.clear()
    run.main([])
    assert machine.commands == ["headlight"]


@pytest.mark.parametrize(("system", "answers"), [(WINDOWS, True), ("darwin", True), (LINUX, False)])
def test_the_usual_torch_is_taken_elsewhere_and_where_the_small_one_cannot_be_had(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, system: str, answers: bool
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(run, "answers", lambda _host: answers)
    assert run.main([]) == 0
    assert machine.commands[1] == f"{INSTALL} -r requirements.txt"


def test_a_failed_small_torch_is_followed_by_the_usual_one(machine: Machine) -> None:
    machine.fails = run.SMALL_TORCH
    assert run.main([]) == 0
    assert machine.commands[-1].startswith("headlight")


def test_a_failed_set_up_starts_nothing_and_goes_on_the_next_time(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = "-r requirements.txt"
    assert run.main([]) == 1
    assert "Run this again to go on." in capsys.readouterr().out
    machine.fails = None
    machine.commands.clear()
    assert run.main([]) == 0
    assert machine.commands[0] == "pip --version"
    assert machine.commands[-1].startswith("headlight")


def test_an_old_python_is_refused_in_a_sentence(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 6))
    assert run.main([]) == 1
    assert "this is 3.9. Name another one" in capsys.readouterr().out
    assert machine.commands == []
