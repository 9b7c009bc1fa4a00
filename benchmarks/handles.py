"""From letting a line go to its new translation on screen: `python -m benchmarks.handles [--site]`.

Each sentence is turned and cut once in Chromium, so that no result is known beforehand. The time
runs from the key or the press to the frame after the new translation stands in the page.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from benchmarks import table
from benchmarks.live_pages import site
from browser.chromium import find_chromium
from browser.explorer_file import explorer
from browser.server import running_app
from browser.waiting import limited
from model import BlockAttention, TurnAttention, load_translator
from model.interventions.base import Intervention
from viz.handout.chromium import FLAGS

NOUNS = (("boy", "dog"), ("girl", "cat"), ("man", "horse"), ("woman", "child"), ("dog", "girl"))
SENTENCES = tuple(f"The {one} sees the {other}." for one, other in NOUNS)

LET_GO = """for (const name of ["keyup", "click"]) {
  addEventListener(name, () => (window.letGo = performance.now()), true);
}"""

SHOWN = """(text) => new Promise((done) => {
  const host = () => document.getElementById("picture")?.shadowRoot;
  const ofSite = () => host()?.querySelector(".translation");
  const all = () => document.body.innerText + (ofSite()?.textContent ?? "");
  const look = () => all().includes(text)
    ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - window.letGo)))
    : setTimeout(look, 4);
  look();
})"""


def changes(number: int) -> tuple[int, int, dict[str, Intervention]]:
    """Return the step of a sentence's second noun, how far its line is turned, and both changes."""
    translator = load_translator("en-fr")
    first, second = NOUNS[number]
    source = translator.source(SENTENCES[number]).tokens
    before, after = source.index(f"▁{first}"), source.index(f"▁{second}")
    weights = translator.record(SENTENCES[number]).attention("cross")[4, 2, :, after]
    step = int(weights.argmax())
    turn = TurnAttention("cross", step, (before,))
    return step, after - before, {"turned": turn, "cut": BlockAttention("cross", step, after)}


def opened(page: Page, address: str, number: int, step: int) -> None:
    """Open the explorer at the line of the alignment."""
    query = {"sentence": SENTENCES[number], "kind": "cross", "layer": "5", "head": "3"}
    page.goto(f"{address}?{urlencode(query | {'step': str(step + 1), 'view': 'lines'})}")
    explorer(page)
    page.wait_for_load_state("networkidle")


def times(page: Page, address: str) -> Iterator[tuple[str, float]]:
    """Turn and cut a line of each sentence; yield what was done, and its milliseconds."""
    translator = load_translator("en-fr")
    for number in range(len(SENTENCES)):
        step, rows, both = changes(number)
        own = translator.translate(SENTENCES[number]).text
        for name, change in both.items():
            text = translator.run(SENTENCES[number], [change]).translation.text
            if text == own:
                continue
            opened(page, address, number, step)
            if name == "turned":
                page.locator(".explorer .handle").focus()
                for _row in range(rows):
                    page.keyboard.down("ArrowUp")
                page.keyboard.up("ArrowUp")
            else:
                page.locator(".explorer [data-cut=all]").click()
            yield name, float(page.evaluate(limited(SHOWN, "the translation"), text))


@contextmanager
def app() -> Iterator[str]:
    """Start the app; yield the address of the explorer."""
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder) / "log.txt") as address:
        yield f"{address}/attention"


@contextmanager
def page_of_site() -> Iterator[str]:
    """Write and serve the site; yield the address of the explorer."""
    with site() as address:
        yield f"{address}/attention.html"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.handles", description=__doc__)
    parser.add_argument("--site", action="store_true", help="in the site, without a server")
    options = parser.parse_args()
    with (page_of_site if options.site else app)() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*FLAGS])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(LET_GO)
        opened(page, address, 0, 0)  # the model is open from here on
        page.wait_for_timeout(3_000 if options.site else 0)
        found = list(times(page, address))
        browser.close()
    rows = []
    for name, said in (("turned", "an arc is turned"), ("cut", "a line is cut")):
        own = [milliseconds for one, milliseconds in found if one == name]
        median, least = statistics.median(own), min(own)
        rows.append((said, len(own), f"{median:.0f}", f"{least:.0f}", f"{max(own):.0f}"))
    where = "in the site" if options.site else "in the app"
    columns = ("", "times", "median", "least", "most")
    table(f"Milliseconds to the new translation, {where}", columns, rows)


if __name__ == "__main__":
    main()
