"""Bars glide to a new probability; the number beside them is that of the model from the start."""

from pathlib import Path

import viz
from tests.viz.page_in_node import in_page


def test_the_outcome_of_a_change_has_its_numbers_before_the_bars_arrive() -> None:
    script = Path(viz.__file__).parent / "effect" / "outcome" / "assets" / "outcome.js"
    bar = '{ lead: "", text: "il", before: 0.959, after: 0.148 }'
    data = (
        '{ lines: [[["", "Il", false]], [["", "Il", false]]], empty: [false, false], '
        f'logs: ["-1.47", "-3.44"], changed: true, foreseen: "", bars: [{bar}], '
        'colours: ["blue", "orange"], said: "", '
        'words: { before: "", after: "", likely: "", log: "" } }'
    )
    code = (
        "const place = new Node('div');\n"
        f"headlight().render({{ data: {data}, parentElement: place }});\n"
        "console.log(JSON.stringify(place.all('span', 'value').map((one) => one.textContent)));"
    )
    assert in_page(script, code) == ["95.9%14.8%"]


def test_the_story_has_its_numbers_before_the_bars_arrive() -> None:
    script = Path(viz.__file__).parent / "pages/story/story_picture/assets/chances.js"
    code = """
const told = { pieces: ["il", "elle"], languages: ["en", "fr"], words: { chanceOf: "" } };
const { node, show } = headlight().chances(told);
show({ likely: [0.959, 0.01], changed: false }, [0.959, 0.01], false);
show({ likely: [0.148, 0.146], changed: true }, [0.959, 0.01], true);
console.log(JSON.stringify(node.all("span", "value").map((one) => one.textContent)));
"""
    assert in_page(script, code) == ["14.8%", "14.6%"]
