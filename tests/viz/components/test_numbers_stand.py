"""Bars glide to a new probability; the number beside them is that of the model from the start."""

import json
import subprocess
from pathlib import Path

import viz
from viz.components.component import classic

PAGE = """
class Node {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], dataset: {} });
    Object.assign(this, { style: { setProperty() {} }, classList: { toggle() {} } });
  }
  append(...nodes) { this.children.push(...nodes); }
  replaceChildren(...nodes) { this.children = nodes; }
  setAttribute(name, value) { this.attributes[name] = value; }
  get textContent() { return this.children.map((one) => one.textContent ?? one).join(""); }
  set textContent(text) { this.children = [text]; }
  all(tag, name) {
    const own = this.tag === tag && (!name || this.attributes.class === name) ? [this] : [];
    return [...own, ...this.children.flatMap((one) => one.all?.(tag, name) ?? [])];
  }
}
Object.assign(globalThis, {
  document: { createElement: (tag) => new Node(tag) },
  window: { matchMedia: () => ({ matches: false }) },
  requestAnimationFrame: () => 1, // the first frame never comes
  cancelAnimationFrame() {},
  STYLE: "",
});
"""


def first_moment(script: Path, code: str) -> list[str]:
    """Run code with what a script exports, in a page that draws no frame; return what it lists."""
    ran = subprocess.run(
        ["node", "-"],
        input=f"{PAGE}\n{classic(script)}\n{code}",
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)


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
    assert first_moment(script, code) == ["95.9%14.8%"]


def test_the_story_has_its_numbers_before_the_bars_arrive() -> None:
    script = Path(viz.__file__).parent / "pages/story/story_picture/assets/chances.js"
    code = """
const told = { pieces: ["il", "elle"], languages: ["en", "fr"], words: { chanceOf: "" } };
const { node, show } = headlight().chances(told);
show({ likely: [0.959, 0.01], changed: false }, [0.959, 0.01], false);
show({ likely: [0.148, 0.146], changed: true }, [0.959, 0.01], true);
console.log(JSON.stringify(node.all("span", "value").map((one) => one.textContent)));
"""
    assert first_moment(script, code) == ["14.8%", "14.6%"]
