"""What a component keeps between two renders, and what ends it."""

import subprocess
from pathlib import Path

import viz.components
from viz.components.component import classic

SCRIPT = Path(viz.components.__file__).parent / "javascript" / "mount.js"

RENDER = """
const { atEnd, kept } = headlight();
const place = {}, ended = [];
let made = 0;
const render = () => {
  const mine = kept(place, () => ++made);
  return atEnd(place, () => ended.push(mine));
};
"""


def in_node(code: str) -> str:
    script = (
        f"{classic(SCRIPT)}\n{RENDER}\n{code}\nconsole.log(`${{made}} made, ended: [${{ended}}]`);"
    )
    done = subprocess.run(
        ["node", "-"], input=script, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


def test_a_render_that_was_overtaken_ends_nothing() -> None:
    assert in_node("const first = render(); render(); first(); render();") == "1 made, ended: []"


def test_the_last_render_ends_what_was_kept() -> None:
    assert in_node("render(); render()(); render();") == "2 made, ended: [1]"


def test_what_was_ended_before_the_next_render_is_made_anew() -> None:
    assert in_node("render()(); render()();") == "2 made, ended: [1,2]"
