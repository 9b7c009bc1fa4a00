"""The wheel, installed where nothing else of this project is: its program starts and translates."""

import os
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from browser.server import START, free_port, wait_for
from tests.server.conftest import errors_of_pages
from tests.test_headlight import LIBRARY, SENTENCE, put_own_modules, run
from tests.test_requirements import pins
from viz.program import started

ROOT = Path(__file__).parents[2]
SOURCES = ("app.py", "setup.py", "pyproject.toml", "README.md", "LICENSE", "requirements.txt")
LARGEST = 42_000_000
"""Bytes of the wheel, with its models."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from links to the sources: building leaves files beside them."""
    folder = tmp_path_factory.mktemp("sources")
    for name in (*SOURCES, ".streamlit", "checkpoints", "docs", "headlight", "model", "viz"):
        (folder / name).symlink_to(ROOT / name)
    pip("wheel", str(folder), "--no-deps", "--no-build-isolation", "-w", str(folder / "built"))
    (found,) = (folder / "built").glob("*.whl")
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel; the packages that it needs stand elsewhere already."""
    folder = tmp_path_factory.mktemp("installed") / "site"
    pip("install", "--no-deps", "--target", str(folder), str(wheel))
    return folder


def pip(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def environment(site: Path, home: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(site), "HOME": str(home)}


def test_it_holds_every_file_of_the_packages_and_stays_under_42_megabytes(wheel: Path) -> None:
    assert wheel.stat().st_size <= LARGEST
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    packages = subprocess.run(
        ["git", "ls-files", "model", "viz"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert {f"headlight/home/{name}" for name in packages.stdout.splitlines()} <= held
    needed = ("checkpoints/en-fr/model.safetensors", "docs/teaching.md")
    assert {f"headlight/home/{name}" for name in needed} <= held
    assert {name.partition("/")[0] for name in held} == {"headlight", "headlight-0.dist-info"}


def test_it_asks_for_what_requirements_txt_says(site: Path) -> None:
    metadata = (site / "headlight-0.dist-info" / "METADATA").read_text(encoding="utf-8")
    asked = [line.removeprefix("Requires-Dist: ") for line in metadata.splitlines()]
    assert {f"{name}=={version}" for name, version in pins("requirements.txt").items()} <= {*asked}


def test_its_program_translates_and_python_imports_it_from_anywhere(
    site: Path, tmp_path: Path
) -> None:
    put_own_modules(tmp_path)
    said = run([site / "bin" / "headlight", "translate", SENTENCE], tmp_path, site)
    assert said.startswith("Le chat dort.\nlog-probability ")
    assert run([sys.executable, "-c", LIBRARY], tmp_path, site).startswith("Le chat dort.")
    assert (tmp_path / "figure.html").stat().st_size > 10_000


def test_its_program_starts_the_app_with_its_settings(site: Path, tmp_path: Path) -> None:
    """None of its pages lacks a file."""
    port, log = free_port(), tmp_path / "log.txt"
    command = [site / "bin" / "headlight", "--server.port", str(port), "--server.headless", "1"]
    settings = environment(site, tmp_path) | {"HEADLIGHT_OPENS_AHEAD": "0"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=tmp_path, env=settings, stdout=output, stderr=output
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/_stcore/health", process, log, START)
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert b"first_picture.js" in answer.read()
        assert errors_of_pages(address) == []
    finally:
        process.terminate()
        process.wait(timeout=60)
    assert log.read_text().strip() == f"Headlight: http://localhost:{port}"


def test_a_model_and_streamlit_s_options_go_where_they_belong() -> None:
    given = ["--server.port", "8600", "--checkpoint", "a/b", "--checkpoint=zh-en"]
    assert started(given) == [
        *("run", str(ROOT / "app.py"), "--server.port", "8600", "--"),
        *("--checkpoint", "a/b", "--checkpoint", "zh-en"),
    ]
