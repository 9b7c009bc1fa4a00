"""A start that cannot succeed says why in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from browser.server import free_port

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("how", ["variable", "argument"])
def test_a_start_without_its_checkpoint_says_so_in_one_line(how: str) -> None:
    name = "no-such-model"
    done = start({"HEADLIGHT_CHECKPOINT": name}) if how == "variable" else start({}, name)
    assert done.returncode == 1
    said = f"Headlight does not start: no checkpoint '{name}'; there are: "
    assert [line[: len(said)] for line in done.stderr.splitlines()] == [said]


def test_a_start_with_a_foreign_folder_says_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bart"}')
    (tmp_path / "model.safetensors").write_bytes(save({"a": torch.zeros(1)}))
    done = start({}, str(tmp_path))
    assert done.returncode == 1
    found = f"{tmp_path / 'config.json'}: a model of type 'marian' expected, found 'bart'"
    assert done.stderr.splitlines() == [f"Headlight does not start: {found}"]


def start(variables: dict[str, str], *checkpoints: str) -> subprocess.CompletedProcess[str]:
    """Start the app as a user does, and wait until it gives up."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=1"]
    named = [part for name in checkpoints for part in ("--checkpoint", name)]
    return subprocess.run(
        [*command, "--server.port", str(free_port()), "--", *named],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )
