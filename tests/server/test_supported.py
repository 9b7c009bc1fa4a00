"""The Python versions that the app says it runs on."""

import tomllib
from pathlib import Path

import pytest

from viz.server.supported import BEYOND, OLDEST, unsupported

ROOT = Path(__file__).parents[2]


def test_the_versions_are_those_that_pyproject_states() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert stated == f">={OLDEST[0]}.{OLDEST[1]},<{BEYOND[0]}.{BEYOND[1]}"


@pytest.mark.parametrize("version", [(3, 10), (3, 15), (2, 7), (4, 0)])
def test_another_version_is_refused_in_one_line(version: tuple[int, int]) -> None:
    reason = unsupported(version)
    assert reason is not None
    assert "\n" not in reason
    assert f"this is {version[0]}.{version[1]}" in reason


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 14)])
def test_a_stated_version_is_accepted(version: tuple[int, int]) -> None:
    assert unsupported(version) is None
