"""The step that the step decoder calls the least sure."""

import json
import math
import subprocess

import pytest

from viz.components.component import classic
from viz.pages.decoder.step_decoder import ENTRY


@pytest.mark.parametrize(
    ("taken", "least"),
    [
        ((0.9, 0.577, 0.99, 0.134), 3),  # a runner-up of 0.27 at step 2 is no greater doubt
        ((0.9, 0.577, None), 1),
        ((0.99, 0.985), -1),
        ((None,), -1),
    ],
)
def test_the_least_sure_step_takes_the_least_probable_piece(
    taken: tuple[float | None, ...], least: int
) -> None:
    steps = [{"chosen": share and [at, "x", math.log(share)]} for at, share in enumerate(taken)]
    script = classic(ENTRY.parent / "doubt.js")
    call = f"console.log(headlight().leastSure({json.dumps(steps)}))"
    done = subprocess.run(["node", "-e", script + call], capture_output=True, check=True, text=True)
    assert int(done.stdout) == least
