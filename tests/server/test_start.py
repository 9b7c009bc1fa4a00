"""A start that cannot succeed says why in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from browser.server import free_port
from viz.server.arguments import CHECKPOINT, name_models

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("how", ["variable", "argument"])
def test_a_start_without_its_checkpoint_says_so_in_one_line(how: str) -> None:
    name = "no-such-model"
    done = start({"HEADLIGHT_CHECKPOINT": name}) if how == "variable" else start({}, name)
    assert done.returncode == 1
    said = f"Headlight does not start: no checkpoint '{name}'; there are: "
    assert [line[: len(said)] for line in done.stderr.splitlines()] == [said]
    assert "http" not in done.stdout  # nothing can be seen yet


def test_a_start_with_a_foreign_folder_says_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bart"}')
    (tmp_path / "model.safetensors").write_bytes(save({"a": torch.zeros(1)}))
    done = start({}, str(tmp_path))
    assert done.returncode == 1
    found = f"{tmp_path / 'config.json'}: a model of type 'marian' expected, found 'bart'"
    assert done.stderr.splitlines() == [f"Headlight does not start: {found}"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--checkpont", "en-fr"), "unrecognized arguments: --checkpont en-fr"),
        (("en-fr",), "unrecognized arguments: en-fr"),
        (("--checkpoint", ""), "argument --checkpoint: a name or a path expected, found nothing"),
    ],
)
def test_an_argument_that_is_none_is_said(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        name_models(arguments)
    assert capsys.readouterr().err.splitlines()[-1] == f"app.py: error: {said}"


def test_the_arguments_of_another_server_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CHECKPOINT, raising=False)
    name_models(["app:app", "--workers", "2"], ours=False)
    assert CHECKPOINT not in os.environ


def start(
    variables: dict[str, str], *checkpoints: str, arguments: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Start the app as a user does, and wait until it gives up."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=1"]
    named = [part for name in checkpoints for part in ("--checkpoint", name)]
    return subprocess.run(
        [*command, "--server.port", str(free_port()), "--", *named, *arguments],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
