"""What Markdown files say holds: the Python of the README runs, and what they name is there."""

import re
from pathlib import Path

import numpy as np
import pytest

import run
from model.checkpoints.checkpoint import CHECKPOINTS
from model.training import readme

ROOT = Path(__file__).parents[1]
README, MUTANTS = ROOT / "README.md", ROOT / "tests" / "mutants.md"

BROUGHT = """
source, target = ["It", "works"], ["\u00c7a", "marche"]
weights = np.full((1, 1, 2, 2), 0.5)  # L H T S
outputs = {"cross_attentions": [weights[0][None]]}
"""
"""What the README leaves to those who bring a model of their own."""


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 2
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"np": np}
    for block in (BROUGHT, *blocks):
        exec(block, names)
    assert (tmp_path / "figure.html").stat().st_size > 10_000


def commands(name: str) -> list[str]:
    """Return the lines of a file's blocks of commands."""
    blocks = re.findall(r"^ *```\n(.*?)^ *```", (ROOT / name).read_text("utf-8"), re.M | re.S)
    return [line.strip() for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_commands_are_those_of_any_system(name: str) -> None:
    elsewhere = re.compile(r"&&|hostname -I|\.venv/bin/(?!activate)|^pip |^streamlit ")
    bad = [line for line in commands(name) if elsewhere.search(line)]
    assert bad == []
    without = [line for line in commands(name) if ".venv/bin" in line and "Windows:" not in line]
    assert without == []


def test_the_readme_sets_up_by_hand_as_run_py_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PYTHON", tmp_path / "python")
    monkeypatch.setattr(run, "DONE", tmp_path / "done.txt")
    monkeypatch.setattr(run, "answers", lambda _host: True)
    monkeypatch.setattr("sys.platform", "linux")
    steps = [["python", *command] for _, (_, *command), _ in run.set_up("requirements.txt")]
    said = [line.split() for line in commands("README.md")]
    assert len(steps) == 3
    assert [step for step in steps[1:] if step not in said] == []


def test_the_readme_of_checkpoints_names_every_file() -> None:
    about = (CHECKPOINTS / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in CHECKPOINTS.glob("*/*") if path.suffix != ".tmp"}
    assert {name for name in files if f"`{name}`" not in about} == set()


def test_the_mutants_are_in_functions_that_exist() -> None:
    _, _, one_by_one = MUTANTS.read_text(encoding="utf-8").partition("The others, one by one")
    rows = re.findall(r"^\| ([^|]*)\|", one_by_one, re.M)
    named = {name for row in rows for name in re.findall(r"`([\w.*]+)`", row)}
    code = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("model", "viz")
        for path in (ROOT / folder).rglob("*.py")
    )
    defined = set(re.findall(r"(?:def|class) (\w+)", code))
    assert len(named) > 40
    assert {name for name in named if name.split(".")[-1] not in defined} == set()


def test_the_readme_has_the_figures_of_the_checkpoint() -> None:
    text = README.read_text(encoding="utf-8")
    assert readme.written(text) == text
    assert readme.written(re.sub(r"0\.93 \||48\.0 \|", "0.1 |", text)) == text
    with pytest.raises(ValueError, match="no place for figures"):
        readme.written("# A README without tables")
