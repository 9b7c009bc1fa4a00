"""The image's last stage in a plain folder: its files alone, its commands, and nobody's rights.

`tests/test_deploy.py` reads the Dockerfile; few machines have a builder of images.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from browser.server import ROOT, START, free_port, wait_for
from tests.server.conftest import errors_of_pages
from tests.test_deploy import instructions

SAID = dict(instructions())
"""The last instruction of each word, with its rest."""

PYTHON = "/venv/bin/python"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder with what the last stage copies and compiles, which everybody may read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        copied = [rest for word, rest in instructions() if word == "COPY" and "--" not in rest]
        for source in (rest.split()[0] for rest in copied if len(rest.split()) == 2):
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, folder / source)
        here = {"python": sys.executable, "/headlight": str(folder)}
        compiled = [here.get(word, word) for word in SAID["RUN"].split()]
        subprocess.run(compiled, check=True, timeout=300)
        yield folder


def nobody() -> int | None:
    """Return the image's user; None where this one may be no other, or Python is not for others."""
    user = int(SAID["USER"].partition(":")[0])
    try:
        subprocess.run([sys.executable, "-c", ""], check=True, timeout=60, user=user)
    except (OSError, subprocess.SubprocessError):
        return None
    return user


@contextmanager
def running(folder: Path, log: Path, environment: dict[str, str]) -> Iterator[str]:
    """Start the server as the image does, on an address of this machine alone, and yield that."""
    command = [part.replace(PYTHON, sys.executable) for part in json.loads(SAID["ENTRYPOINT"])]
    command += ["--server.address", "127.0.0.1"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, user=nobody(), stdout=output, stderr=output
        )
    address = f"http://127.0.0.1:{environment['PORT']}"
    try:
        wait_for(f"{address}/_stcore/health", server, log, START)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=60)


@pytest.mark.skipif(sys.platform != "linux", reason="images of this kind are Linux's")
def test_the_files_of_the_image_answer_for_a_user_who_writes_nothing(
    folder: Path, tmp_path: Path
) -> None:
    environment = dict(word.split("=", 1) for word in shlex.split(SAID["ENV"]))
    environment |= {"PATH": os.defpath, "PORT": str(free_port())}
    environment |= {"HEADLIGHT_OPENS_AHEAD": "0", "HEADLIGHT_MEASURES_AHEAD": "0"}
    before = {path for path in folder.rglob("*") if path.is_file()}
    with running(folder, tmp_path / "log.txt", environment) as address:
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert "first_picture.js" in answer.read().decode()
        probe = json.loads(SAID["HEALTHCHECK"].partition("CMD ")[2])
        probed = [part.replace(PYTHON, sys.executable) for part in probe]
        subprocess.run(probed, check=True, timeout=60, env=environment)
        assert errors_of_pages(address) == []
    assert {path for path in folder.rglob("*") if path.is_file()} == before
