"""The explorer knows the heads that are off, alone or with their layer."""

import json
import subprocess
from typing import Any

import pytest

from viz.components.attention_explorer import ENTRY
from viz.components.component import classic


@pytest.mark.parametrize(
    ("head", "off"),
    [
        ({}, False),
        ({"on": {"encoder 6 4": {}}, "leftOut": []}, True),
        ({"on": {"encoder 6 3": {}}, "leftOut": ["cross 6", "encoder 5"]}, False),
        ({"on": {}, "leftOut": ["encoder 6"]}, True),
    ],
)
def test_a_head_is_named_as_off_alone_or_with_its_layer(head: dict[str, Any], off: bool) -> None:
    app = {"state": {"kind": "encoder"}, "payload": {"header": {"offers": {"head": head}}}}
    script = classic(ENTRY.parent / "comparison.js") + f"const app = {json.dumps(app)};"
    call = """app.say = (name, { head } = {}) => `${name} ${head}`;
    console.log(headlight().comparedName(app, { layer: 5, head: 3 }));"""
    done = subprocess.run(["node", "-e", script + call], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == ("head off head name 4" if off else "head name 4")
