"""The lock files hold what the requirement files ask for, each package with its hashes."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"^([a-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE | re.IGNORECASE)


def pins(name: str) -> dict[str, str]:
    """Return the versions that a file names, by package."""
    return dict(PINNED.findall((ROOT / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_a_lock_file_holds_every_requirement_with_its_version(name: str) -> None:
    asked, locked = pins(f"{name}.txt"), pins(f"{name}.lock")
    assert asked
    assert asked.items() <= locked.items()


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_locked_package_has_hashes(name: str) -> None:
    """Each package starts a line; its hashes follow, indented."""
    text = (ROOT / f"{name}.lock").read_text(encoding="utf-8")
    entries = re.findall(r"^[a-z0-9].*(?:\n[ #].*)*", text, re.MULTILINE | re.IGNORECASE)
    assert len(entries) >= len(pins(f"{name}.lock")) > 20
    assert [entry for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry)] == []


def test_an_extra_is_what_the_tests_run_on() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    tested = {f"{name}=={version}" for name, version in pins("requirements-dev.txt").items()}
    assert {one for asked in extras.values() for one in asked} <= tested


def test_tests_run_on_what_users_run_on() -> None:
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()
