"""The bars of the step decoder: which pieces stay in view where only a few have room."""

import json

import pytest

from tests.viz.page_in_node import in_page
from viz.pages.decoder.step_decoder import ENTRY
from viz.pages.decoder.step_decoder.words import decoder_words

PIECES = [[number, f"▁{name}", -1.0 - number] for number, name in enumerate("abcdefghij")]
RIVAL = [90, "▁elle", -11.0]


@pytest.mark.parametrize(
    ("top", "chosen", "few"),
    [
        (PIECES, 0, ["a", "b", "c"]),
        (PIECES, 6, ["a", "b", "g"]),
        ([*PIECES, RIVAL], 0, ["a", "b", "elle"]),  # the class shall force it
        ([*PIECES, RIVAL], 6, ["a", "g", "elle"]),
    ],
)
def test_the_rival_and_the_piece_taken_stay_in_view(
    top: list[object], chosen: int, few: list[str]
) -> None:
    step = {"top": top, "chosen": PIECES[chosen], "rank": chosen + 1}
    app = {
        "scene": {"vocabulary": 100},
        "view": {"step": 1, "strategy": "greedy"},
        "words": decoder_words(),
    }
    code = (
        f"const odds = {{ kept: 100, top: Array(10).fill(0.05), "
        "stays: () => true, share: Math.exp };\n"
        f"const [app, branch] = {json.dumps([app, {'steps': [step]}])};\n"
        "const rows = headlight().barsOf(app, branch, odds);\n"
        "const shown = rows.filter((row) => row.tag === 'button' && "
        "!/\\bmany\\b/.test(row.attributes.class));\n"
        "const left = rows.at(-1).attributes['data-probability'];\n"
        "console.log(JSON.stringify([left, shown.map((row) => row.children[0].textContent)]));"
    )
    left, names = in_page(ENTRY.parent / "bars.js", code)
    assert [name.strip("·") for name in names] == few
    shares = sum(2.718281828**-11 if name == "elle" else 0.05 for name in few)
    assert left == pytest.approx(1 - shares)
