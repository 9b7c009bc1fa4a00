"""The workflows for those who fork: well formed, with actions by version, on what we support."""

import re
import shlex
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = re.compile(r"actions/[a-z-]+@v[1-9]\d*")


def steps(path: Path) -> list[dict[str, Any]]:
    """Return the steps of all jobs."""
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_step_is_an_action_of_github_by_version_or_a_command(path: Path) -> None:
    for step in steps(path):
        assert ("uses" in step) != ("run" in step), step
        assert "run" in step or ACTION.fullmatch(step["uses"]), step
    used = [step["uses"].partition("@")[0] for step in steps(path) if "uses" in step]
    assert used[:2] == ["actions/checkout", "actions/setup-python"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_step_names_is_there(path: Path) -> None:
    for step in steps(path):
        options = step.get("with", {})
        if cached := options.get("cache-dependency-path"):
            assert (ROOT / cached).is_file()
        words = shlex.split(step.get("run", ""))
        if words[:2] == ["python", "-m"]:
            module = ROOT.joinpath(*words[2].split("."))
            assert (module / "__main__.py").is_file() or module.with_suffix(".py").is_file()
        elif words[:1] == ["python"]:
            assert (ROOT / words[1]).is_file()
        for option, file in pairwise(words):
            assert option not in ("-r", "-c") or (ROOT / file).is_file()


def test_the_quick_tests_run_on_three_systems_with_the_oldest_and_the_newest_python() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))[
        "jobs"
    ]
    (job,) = jobs.values()
    matrix = job["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least, beyond = re.findall(r"3\.(\d+)", project["requires-python"])
    assert matrix["python"] == [f"3.{least}", f"3.{int(beyond) - 1}"]
    assert job["steps"][-1]["run"] == "python run.py test"
    asked = [job["runs-on"], *job["steps"][1]["with"].values()]
    assert all(f"${{{{ matrix.{name} }}}}" in asked for name in matrix)
