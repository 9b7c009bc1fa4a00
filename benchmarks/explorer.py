"""The speed of the attention explorer, in headless Chromium: `python -m benchmarks.explorer`.

It shows six layers of eight heads, with all eight heads on screen and random attention (which
compresses worse than a model's). Times run from the message, the pointer or the key to the frame
after the picture is painted.
"""

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks import table
from browser.chromium import find_chromium
from browser.explorer_file import explorer, write_explorer
from browser.waiting import limited
from tests.fixtures.explorer_recordings import long_recording
from viz.components.attention_explorer import message, script
from viz.handout.chromium import FLAGS

LENGTHS = (12, 50, 128, 256)
VIEWS = ("lines", "grid", "matrix")
ROUNDS = 9

PAINTED = """
const painted = (count) => new Promise((done) => {
  const root = document.querySelector('.explorer');
  const look = () => Number(root.dataset.painted ?? 0) > count
    ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : setTimeout(look);
  look();
});
const count = () => Number(document.querySelector('.explorer')?.dataset.painted ?? 0);
"""

OPEN = """async (rounds) => {
  const times = [];
  const host = document.getElementById('explorer');
  const data = document.querySelector('script').textContent.match(/"explorer"\\), "([^"]*)"/)[1];
  const view = location.hash.slice(1);
  for (let round = 0; round < rounds; round++) {
    host.replaceChildren();
    const started = performance.now();
    headlight().standalone(host, data, view);
    times.push(await painted(0) - started);
  }
  return times;
}"""

HOVER = """async ([rounds, targets]) => {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const nodes = document.querySelectorAll(targets);
    const node = nodes[(round * 7 + 3) % nodes.length];
    const box = node.getBoundingClientRect();
    const [left, top, wide, high] = (node.dataset.cells ?? '5 5 1 1').split(' ').map(Number);
    // The middle of a cell: Chromium drops the fraction, and an edge is the cell before.
    const [x, y] = [left + wide * (round % 5 + 0.5), top + high * (round % 7 + 0.5)];
    const place = {bubbles: true, composed: true, clientX: box.left + x, clientY: box.top + y};
    const [before, started] = [count(), performance.now()];
    node.dispatchEvent(new PointerEvent('pointerover', place));
    node.dispatchEvent(new PointerEvent('pointermove', place));
    times.push(await painted(before) - started);
  }
  return times;
}"""

LAYER = """async (rounds) => {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const key = round % 10 < 5 ? 'ArrowDown' : 'ArrowUp';
    const [before, started] = [count(), performance.now()];
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    times.push(await painted(before) - started);
  }
  return times;
}"""

TARGETS = {"lines": ".queries li", "grid": ".thumb", "matrix": ".matrix canvas"}


def timed(page: Page, label: str, work: str, argument: object) -> str:
    """Run a script in the page and return a row with the median of its times."""
    work = f"(argument) => {{{PAINTED} return ({work})(argument);}}"
    times = page.evaluate(limited(work, label), argument)
    return f"{statistics.median(times[2:]):.1f} ms"


def rows(page: Page, folder: Path) -> list[list[object]]:
    """Measure every length and view."""
    measured: list[list[object]] = []
    for length in LENGTHS:
        sample = long_recording(length)
        for view in VIEWS:
            link = f"kind=encoder&layer=1&heads=1-2-3-4-5-6-7-8&view={view}"
            page.goto("about:blank")
            page.goto(f"{write_explorer(folder, sample, link)}#{link}")
            explorer(page)
            name = f"{length} tokens, {view}"
            hover = timed(page, f"{name}: hover", HOVER, [ROUNDS, TARGETS[view]])
            layer = timed(page, f"{name}: layer", LAYER, ROUNDS)
            opened = timed(page, f"{name}: message", OPEN, ROUNDS)
            measured.append([name, f"{len(message(sample)):,}", opened, hover, layer])
    return measured


def main() -> None:
    """Print the table."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        measured = rows(page, Path(folder))
        browser.close()
    columns = ["explorer", "message, bytes", "message", "hover", "layer"]
    table("Attention explorer, to painted (median)", columns, measured)
    print(f"The script itself: {len(script().encode()):,} bytes, before compression.")


if __name__ == "__main__":
    main()
