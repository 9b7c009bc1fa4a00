"""The linters find nothing, and nothing is too long to be read at once."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_FILE, LONGEST_FUNCTION = 300, 40
"""Lines that a file, and a function in Python, may have."""


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("pyright", "--pythonpath", sys.executable),
    ],
    ids=["ruff check", "ruff format", "pyright"],
)
def test_linter_finds_nothing(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
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


def test_a_long_function_is_found() -> None:
    body = "\n".join(f"    x{n} = {n}" for n in range(LONGEST_FUNCTION))
    assert function_lengths(f"class A:\n  @property\n  def f(self):\n{body}") == {
        "f, line 3": LONGEST_FUNCTION + 1
    }
