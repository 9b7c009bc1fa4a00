"""How sentences stand in a row, in Python and in the browser."""

import json
import subprocess
from pathlib import Path

import viz.components
from viz.components.component import classic
from viz.language.wording import in_a_row

DOM = Path(viz.components.__file__).parent / "javascript" / "dom.js"

ROWS = (
    ["It is. So.", "And then?", "Yes."],
    ["是。", "好吗？", "Yes.", "是（对）", "完"],
    ["One.", ""],
    ["It is “是” there.", "And “so.”", "But 是。 Yes."],
)


def test_sentences_have_a_space_between_them_except_after_chinese_marks() -> None:
    said = [in_a_row(row) for row in ROWS]
    assert said == [
        "It is. So. And then? Yes.",
        "是。好吗？Yes. 是（对）完",
        "One.",
        " ".join(ROWS[-1]),
    ]
    code = (
        f"{classic(DOM)}\nconsole.log(JSON.stringify({json.dumps(ROWS)}.map(headlight().inARow)))"
    )
    ran = subprocess.run(
        ["node", "-"], input=code, capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(ran.stdout) == said
