"""The newest query of the step decoder is named by the piece that it writes, in both attentions."""

import json

from tests.viz.page_in_node import in_page
from viz.pages.decoder.step_decoder import ENTRY
from viz.pages.decoder.step_decoder.words import decoder_words

PIECES = ("▁Le", "▁chat", "</s>")


def test_arcs_name_the_query_by_what_it_writes() -> None:
    steps = [{"chosen": [number, piece, -0.1]} for number, piece in enumerate(PIECES)]
    branch = {"kind": "free", "steps": steps, "cross": [255] * 6, "self": [255] * 9}
    branch["mask"] = [1] * 9
    scene = {
        "sizes": {"cross": [1, 1], "self": [1, 1]},
        "source": ["▁The", "▁cat"],
        "begin": "<s>",
        "branches": [branch],
    }
    view = {"step": 2, "branch": 0, "node": None, "attention_layer": 0, "attention_head": 0}
    app = {"scene": scene, "view": view, "words": decoder_words()}
    code = (
        f"const app = {{ ...{json.dumps(app)}, "
        'colours: { table: new Uint8Array(768), background: "#fff", text: "#000" } };\n'
        "const { sourceColumns, targetColumns } = headlight();\n"
        "const columns = [...sourceColumns(app), ...targetColumns(app)];\n"
        "console.log(JSON.stringify(columns.map((one) => one.attributes.title).filter(Boolean)));"
    )
    titles = in_page(ENTRY.parent / "picture.js", code)
    assert titles == [f"to write chat, 1.00 on {key}" for key in ("·The", "·cat", "<s>", "·Le")]
