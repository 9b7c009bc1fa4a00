"""The view of the step decoder is read and written on the site as in the app."""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import viz.site
from viz.components.component import classic
from viz.link.branches import MAX_BRANCHES
from viz.pages.decoder.step_decoder.view import DecoderView, parse_view

SCRIPT = Path(viz.site.__file__).parent / "assets" / "decoder_view.js"
LAYERS, HEADS = 6, 8

ASKED: tuple[dict[str, str], ...] = (
    {},
    {"strategy": "beam", "width": "3", "penalty": "1.5", "node": "17", "seed": "4"},
    {"strategy": "sampling", "temperature": "1.3", "top_k": "50", "top_p": ".9", "seed": "0"},
    {"strategy": "worst", "width": "9", "penalty": "-1", "temperature": "inf", "top_p": "0"},
    {"width": "1e1", "penalty": "", "temperature": "x", "seed": "1234567890", "top_k": "-1"},
    {"step": "12", "attention_layer": "mean", "attention_head": "3"},
    {"step": "0", "attention_layer": "7", "attention_head": "9"},
    {"attention_layer": "6", "attention_head": "mean"},
    {"branches": "1-2.3_4", "branch": "2", "given": "Le chat"},
    {"branches": "1-2.3_4", "branch": "4", "given": "Le chat"},
    {"branches": "1-2.3_x", "branch": "1"},
    {"branches": "_".join(["5"] * (MAX_BRANCHES + 1))},
    {"branches": "1234567"},
    {"given": "x" * 3000, "branch": "1"},
)
"""Parameters of links, some of which make no sense."""


def on_site(asked: tuple[dict[str, str], ...]) -> list[dict[str, Any]]:
    """Read the parameters in Node, and write them again."""
    given = {"asked": asked, "defaults": asdict(DecoderView()), "maxBranches": MAX_BRANCHES}
    code = (
        f"{classic(SCRIPT)}\nconst {{ asked, defaults, maxBranches }} = {json.dumps(given)};\n"
        f"const sizes = {{ layers: {LAYERS}, heads: {HEADS}, maxBranches }};\n"
        "const { readView, parametersOfView } = headlight();\n"
        "const each = (one) => {\n"
        "  const view = readView(new URLSearchParams(one), defaults, sizes);\n"
        "  return { view, said: parametersOfView(view, defaults) };\n"
        "};\n"
        "console.log(JSON.stringify(asked.map(each)));"
    )
    done = subprocess.run(
        ["node", "-"], input=code, capture_output=True, text=True, timeout=300, check=True
    )
    return json.loads(done.stdout)


def test_links_are_read_and_written_alike() -> None:
    for parameters, found in zip(ASKED, on_site(ASKED), strict=True):
        expected = parse_view(parameters, LAYERS, HEADS).view
        assert found["view"] == json.loads(json.dumps(asdict(expected))), parameters
        said = {name: text for name, text in found["said"].items() if text}
        assert said == expected.to_parameters(), parameters
