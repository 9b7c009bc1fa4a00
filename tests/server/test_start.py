"""A start that cannot succeed says why in one line."""

import os
import subprocess
import sys
from pathlib import Path

from browser.server import free_port

ROOT = Path(__file__).parents[2]


def test_a_start_without_its_checkpoint_says_so_in_one_line() -> None:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=1"]
    done = subprocess.run(
        [*command, "--server.port", str(free_port())],
        cwd=ROOT,
        env=os.environ | {"HEADLIGHT_CHECKPOINT": "no-such-model"},
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )
    assert done.returncode == 1
    said = "Headlight does not start: no checkpoint 'no-such-model'; there are: "
    assert [line[: len(said)] for line in done.stderr.splitlines()] == [said]
