"""The reason that the step decoder gives for a piece."""

import json
import subprocess

import pytest

from viz.components.component import classic
from viz.pages.decoder.step_decoder import ENTRY
from viz.pages.decoder.step_decoder.words import decoder_words


@pytest.mark.parametrize(
    ("kind", "step", "reason"),
    [
        ("free", 2, "why beam"),
        ("node", 1, "why node"),  # it need not lead to the best hypothesis
        ("forced", 1, "why kept"),
        ("forced", 2, "why forced"),
        ("forced", 3, "why beam"),
        ("given", 2, "why given"),
    ],
)
def test_a_piece_of_a_beam_search_has_the_reason_of_its_branch(
    kind: str, step: int, reason: str
) -> None:
    view = {"strategy": "beam", "step": step}
    branch = {"kind": kind, "kept": 1, "forced": 1}
    script = classic(ENTRY.parent / "reason.js")
    call = f"console.log(headlight().reasonName({json.dumps(view)}, {json.dumps(branch)}))"
    done = subprocess.run(["node", "-e", script + call], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == reason
    assert reason in decoder_words()
