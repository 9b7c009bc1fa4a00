"""A page without a browser: enough of one for scripts that make elements, run in Node."""

import json
import subprocess
from pathlib import Path
from typing import Any

from viz.components.component import classic

PAGE = """
class Node {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], dataset: {} });
    Object.assign(this, { style: { setProperty() {} }, classList: { toggle() {} } });
  }
  append(...nodes) { this.children.push(...nodes); }
  replaceChildren(...nodes) { this.children = nodes; }
  getContext() { return { get fillStyle() { return "#000000"; }, set fillStyle(_colour) {} }; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener() {}
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


def in_page(script: Path, code: str) -> Any:  # noqa: ANN401
    """Run code with what a script exports, in a page that draws no frame; return what it lists."""
    ran = subprocess.run(
        ["node", "-"],
        input=f"{PAGE}\n{classic(script)}\n{code}",
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)
