"""The linters find nothing, and nothing is too long to be read at once."""

import ast
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_FILE, LONGEST_FUNCTION = 500, 60
"""Lines that a file, and a function in Python, may have."""

MOST_BY_PLACE = 6
"""The most arguments that a call may give without their names."""

BORROWED = ROOT / "viz" / "notebook" / "bertviz.py"
"""The functions of another library, with its arguments."""


SCRIPTS = Path(sysconfig.get_path("scripts"))
OXLINT = str(SCRIPTS / "oxlint")
EVERYWHERE = ("app.py", "headlight", "model", "run.py", "viz")
"""What runs on every system, so that it may use no name that POSIX alone has."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900
    )


@pytest.mark.parametrize(
    "command",
    [
        (sys.executable, "-m", "ruff", "check", "."),
        (sys.executable, "-m", "ruff", "format", "--check", "."),
        (str(SCRIPTS / "pyrefly"), "check", "--python-interpreter-path", sys.executable),
        pytest.param(
            (str(SCRIPTS / "pyrefly"), "check", "--python-platform", "win32", *EVERYWHERE),
            marks=pytest.mark.nightly,
        ),
        (OXLINT, "--deny-warnings", "viz"),
    ],
    ids=["ruff check", "ruff format", "pyrefly", "pyrefly as on Windows", "oxlint"],
)
def test_linter_finds_nothing(command: tuple[str, ...]) -> None:
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr


def written(*endings: str) -> list[Path]:
    """List our own files with one of these endings."""
    folders = ("benchmarks", "browser", "model", "tests", "viz")
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    return [path for path in (ROOT / "app.py", *found) if path.suffix in endings]


def test_no_file_is_too_long() -> None:
    lengths = {
        path: len(path.read_text(encoding="utf-8").splitlines())
        for path in written(".py", ".js", ".css")
    }
    assert len(lengths) > 200
    assert {path: n for path, n in lengths.items() if n > LONGEST_FILE} == {}


def function_lengths(source: str) -> dict[str, int]:
    """Count the lines of each function of a module, from its `def` to its end."""
    return {
        f"{node.name}, line {node.lineno}": (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_no_python_function_is_too_long() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}: {name}": length
        for path in written(".py")
        for name, length in function_lengths(path.read_text(encoding="utf-8")).items()
    }
    assert len(lengths) > 1000
    assert {name: n for name, n in lengths.items() if n > LONGEST_FUNCTION} == {}


def arguments_by_place(source: str) -> dict[str, int]:
    """Count the arguments of each function of a module that a call may give by place."""
    counts: dict[str, int] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
            own = names[:1] in (["self"], ["cls"])
            counts[f"{node.name}, line {node.lineno}"] = len(names) - own
    return counts


def test_no_function_takes_many_arguments_by_place() -> None:
    """Further ones are named at the call, or are one frozen object."""
    counts = {
        f"{path.relative_to(ROOT)}: {name}": count
        for path in written(".py")
        if path != BORROWED
        for name, count in arguments_by_place(path.read_text(encoding="utf-8")).items()
    }
    assert len(counts) > 1000
    assert {name: n for name, n in counts.items() if n > MOST_BY_PLACE} == {}
