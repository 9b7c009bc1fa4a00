"""What the site says of a head is what the app says."""

import json
import subprocess
from pathlib import Path

import pytest

import viz.site
from model.sites.sites import KINDS
from tests.sentences import TIRED_OR_WIDE
from viz.components.component import classic
from viz.compute import runs
from viz.figures.labels import written_by
from viz.figures.theme import token_text
from viz.language.text import languages, using
from viz.pages.head.chain_view import finding, finding_texts

SCRIPT = Path(viz.site.__file__).parent / "assets" / "head_said.js"


def on_site(asked: list[dict[str, object]], texts: dict[str, str]) -> list[str]:
    """Say the findings in Node, as Markdown."""
    code = (
        f"{classic(SCRIPT)}\nconst {{ headFinding }} = headlight();\n"
        f"const [asked, texts] = {json.dumps([asked, texts])};\n"
        "const text = (parts) => parts.map(([own, bold]) => bold ? `**${own}**` : own).join('');\n"
        "console.log(JSON.stringify(asked.map((one) => text(headFinding(texts, one)))));"
    )
    done = subprocess.run(
        ["node", "-"], input=code, capture_output=True, text=True, timeout=300, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("code", list(languages()))
def test_the_finding_is_the_same(code: str) -> None:
    recording = runs.run(TIRED_OR_WIDE.first).recording
    asked: list[dict[str, object]] = []
    expected: list[str] = []
    with using(code):
        texts = {**finding_texts(), "end": "</s>"}
        for kind in KINDS:
            queries, keys = recording.tokens(kind)
            rows = recording.attention(kind)
            for query in range(len(queries)):
                weights = rows[query % 6, query % 8, query]
                writes = "" if kind == "encoder" else written_by(queries, query)
                said = finding(weights, queries[query], keys, writes)
                frame = ("", "mixes", "yours", "idle")[query % 4]
                expected.append(texts[frame].format(finding=said) if frame else said)
                asked.append(
                    {
                        "weights": weights.astype(float).tolist(),
                        "queries": [token_text(token) for token in queries],
                        "keys": [token_text(token) for token in keys],
                        "query": query,
                        "place": {"kind": kind},
                        "mixes": frame == "mixes",
                        "isOther": frame == "yours",
                        "isOff": frame == "idle",
                    }
                )
    plain = [text.replace("\\", "").replace("&lt;", "<").replace("&gt;", ">") for text in expected]
    assert on_site(asked, texts) == plain
