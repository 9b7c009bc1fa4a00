"""The drawing times of pages in headless Chromium: `python -m benchmarks.pages [PAGE ...]`.

Redraw times run from the press of the mouse or the key to the frame after the picture has changed,
with the server and the browser on one machine. The goal is a median under 300 ms. The first page,
the story, also has two times from the link: to the first picture, and to the page's own picture,
which replaces it. The first picture should come within 1 s in a browser that has been there before.
"""

import argparse
import os
import statistics
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from benchmarks import table
from browser.app import app_in_chromium
from browser.waiting import limited

ROUNDS = 15
VISITS = 7
STORY = "story"
"""The page at the bare link."""


@dataclass(frozen=True)
class Change:
    """A control that a visitor changes on a page, again and again.

    `controls` are clicked or, with `keys`, get these keys. `picture` is the element that must
    change, and `read` is a JavaScript expression of `node` whose value shows the change. `link` has
    the parameters for opening the page.
    """

    page: str
    what: str
    controls: tuple[str, str]
    picture: str
    read: str
    keys: tuple[str, str] | None = None
    link: str = ""


def _chip(position: int) -> str:
    return f"button.chip[data-position='{position}']"


def _head(name: str) -> str:
    return f".head-picker [data-place='{name}']"


_DIVIDE = ".st-key-scaled label"
_DEPTH = ".st-key-depth input"
_FRAME = "node.querySelector('.shapelayer path').getAttribute('d')"
_LABELS = "[...node.querySelectorAll('.ytick text')].map((label) => label.textContent).join()"
_IMAGE = "node.querySelector('image').getAttribute('href')"
_LINE = "node.querySelector('path.js-line').getAttribute('d')"
_POINTS = "node.querySelectorAll('.textpoint').length"
_LEFT_RIGHT = ("ArrowLeft", "ArrowRight")


def _slider(
    page: str,
    view: str,
    what: str,
    key: str,
    picture: str,
    read: str,
    *,
    keys: tuple[str, str] = _LEFT_RIGHT,
) -> Change:
    """Move a slider in a view of a page."""
    slider, plot = f".st-key-{key} input", f".st-key-{picture}-picture .js-plotly-plot"
    return Change(page, what, (slider, slider), plot, read, keys, f"{page}={view}")


def _piece(view: str, picture: str) -> Change:
    plot = f".st-key-{picture}-picture .js-plotly-plot"
    return Change(
        "tokens", f"{view} of a piece", (_chip(3), _chip(5)), plot, _LABELS, None, f"tokens={view}"
    )


TOKENS_AND_POSITIONS = (
    _slider("tokens", "other cuts", "number of cuts", "ways", "cuts", _LABELS),
    _piece("embedding", "strips"),
    _piece("neighbours", "neighbours"),
    _slider("tokens", "map", "neighbours on the map", "around", "map", _POINTS),
    _slider("positions", "curves&dimensions=9", "base of the curves", "base", "curves", _LINE),
    _slider("positions", "table", "base of the table", "base", "table", _IMAGE),
    _slider("positions", "shift by k", "shift", "k", "shift", _IMAGE),
    # Only upwards: so every shuffle is a new translation, which is not in the cache.
    Change(
        "lab_scale", "shuffle, translated anew",
        (".st-key-positions-number-encoder input", ".st-key-positions-number-encoder input"),
        ".st-key-model-picture .js-plotly-plot",
        "[...node.querySelectorAll('image')].at(-1).getAttribute('href')",
        ("ArrowUp", "ArrowUp"), "break=positions side by side&edits=shuffle.e.1",
    ),
    Change(
        "lab_scale", "head of the model", (_head("cross 5.3"), _head("cross 5.5")),
        ".st-key-model-picture .js-plotly-plot", _IMAGE, None,
        "break=positions side by side&edits=scale.e.0.0",
    ),
)  # fmt: skip

_CELLS = "[...node.querySelectorAll('.heatmap-label')].map((label) => label.textContent).join()"
_IMAGES = "[...node.querySelectorAll('image')].map((one) => one.getAttribute('href')).join()"
_BARS = "[...node.querySelectorAll('.bartext')].map((label) => label.textContent).join()"


def _token(page: str, what: str, picture: str, read: str, link: str) -> Change:
    """Choose another token of a page's first row."""
    plot = f".st-key-{picture} .js-plotly-plot"
    return Change(page, what, (_chip(3), _chip(5)), plot, read, None, link)


BLOCKS = (
    _token("why", "query of a score", "products", _CELLS, ""),
    _token("why", "step of a word", "terms", _BARS, "why=who+wrote+this+word"),
    _token("block", "token of add & norm", "strips", _IMAGE, ""),
    _token("block", "token of feed-forward", "hidden", _IMAGES, "block view=feed-forward"),
    _token("block", "token of the heads", "split", _FRAME, "block view=heads split and merged"),
    Change(
        "lab_blocks", "block left out, translated anew",
        ("button.cell >> nth=1", "button.cell >> nth=1"), "[data-off]", "node.dataset.off",
    ),
)  # fmt: skip

_TIRED, _WIDE = (f"[data-sentence='{number}']" for number in (0, 1))

_STEPS = (".stepper .step >> nth=0", ".stepper .step >> nth=1")

CHANGES = (
    Change(STORY, "switch, with its 600 ms", (_WIDE, _TIRED), ".drawing", "node.dataset.to"),
    Change("attention", "layer of the lines", _STEPS, ".explorer", "node.dataset.layer"),
    Change(
        "attention", "layer of two side by side", _STEPS, ".explorer", "node.dataset.layer", None,
        "view=compare",
    ),
    Change(
        "head",
        "a moment of its links",
        (".player input", ".player input"),
        ".chain",
        "node.dataset.moment",
        keys=("ArrowLeft", "ArrowRight"),
    ),
    Change("head", "query", (_chip(3), _chip(5)), ".chain", "node.dataset.query"),
    Change("head", "head", (_head("cross 5.3"), _head("cross 5.5")), ".chain", "node.dataset.head"),
    Change("head", "no √d_k", (_DIVIDE, _DIVIDE), ".chain", "node.dataset.divisor"),
    Change(
        "layers",
        "block",
        ("[data-site='encoder.0.norm1']", "[data-site='encoder.0.ffn.out']"),
        ".st-key-tensor .heatmaplayer image",
        "node.getAttribute('href') ?? node.getAttribute('xlink:href')",
        link="kind=encoder&layer=1",
    ),
    Change(
        "layers",
        "depth",
        (_DEPTH, _DEPTH),
        ".st-key-stream .js-plotly-plot",
        _FRAME,
        ("ArrowLeft", "ArrowRight"),
        "layers=one token",
    ),
    Change("layers", "token", (_chip(2), _chip(4)), ".st-key-lens .js-plotly-plot", (
        "[...node.querySelectorAll('.heatmap-label')].map((label) => label.textContent).join()"
    ), None, "layers=one token&stack=decoder"),
    *TOKENS_AND_POSITIONS,
    *BLOCKS,
)  # fmt: skip

# Components live in shadow roots, which querySelector does not enter.
WATCH = """([selector, read]) => {
  const find = () => {
    const found = document.querySelector(selector);
    if (found) return found;
    for (const host of document.querySelectorAll('.stBidiComponent, .stBidiComponent *')) {
      const inner = host.shadowRoot?.querySelector(selector);
      if (inner) return inner;
    }
    return null;
  };
  const value = new Function('node', `return node && (${read})`);
  const before = value(find());
  let started = null;
  const begin = () => { started ??= performance.now(); };
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, begin, true);
  window.redrawn = new Promise((done) => {
    const look = () => {
      const now = started === null ? before : value(find());
      if (now === before || now === null) return setTimeout(look, 2);
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)));
    };
    look();
  });
}"""


def times(page: Page, change: Change) -> list[float]:
    """Change back and forth, and return the times until the picture changed."""
    page.locator(change.controls[0]).first.wait_for(state="attached", timeout=60_000)
    page.wait_for_timeout(3000)
    measured: list[float] = []
    redrawn = limited("() => window.redrawn", f"{change.page}: {change.what}")
    for turn in range(ROUNDS + 2):
        control = page.locator(change.controls[turn % 2]).first
        if not control.is_visible():  # a board of heads is folded until it is opened
            page.locator(".head-picker .opener").click()
        page.evaluate(WATCH, [change.picture, change.read])
        if change.keys is None:
            control.click()
        else:
            control.press(change.keys[turn % 2])
        measured.append(float(page.evaluate(redrawn)))
        page.wait_for_timeout(150)
    return measured[2:]


# Two frames, as a component's shadow root is in the document before it is painted.
FIRST_PAINT = """
  const drawnIn = (hosts) => new Promise((done) => {
    const look = () => {
      for (const host of document.querySelectorAll(hosts)) {
        if (!(host.shadowRoot ?? host).querySelector('.story .arc[d]')) continue;
        return requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
      }
      requestAnimationFrame(look);
    };
    look();
  });
  const places = ['#first-picture', '.stBidiComponent, .stBidiComponent *'];
  window.painted = Promise.all(places.map(drawnIn));
"""


def first_paints(browser: Browser, address: str, warm: bool) -> list[tuple[float, float]]:
    """Return the times from the link to the first picture and to the page's own picture.

    The browser is new or, with `warm`, has been there before.
    """
    measured: list[tuple[float, float]] = []
    context = browser.new_context()
    for _visit in range(VISITS + warm):
        if not warm:
            context = browser.new_context()
        page = context.new_page()
        page.add_init_script(FIRST_PAINT)
        page.goto(address)
        first_picture, own_picture = page.evaluate("window.painted")
        measured.append((float(first_picture), float(own_picture)))
        page.close()
    return measured[warm:]


def row(name: str, times: list[float]) -> tuple[str, ...]:
    """Write median, minimum and maximum."""
    return (name, *(f"{t:.0f}" for t in (statistics.median(times), min(times), max(times))))


def main() -> None:
    """Start the app, measure every change and print the table."""
    pages = sorted({change.page for change in CHANGES})
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("pages", nargs="*", choices=[*pages, []], help="only these pages")
    chosen_pages = parser.parse_args().pages or pages
    rows: list[tuple[object, ...]] = []
    with app_in_chromium() as (address, browser):
        if STORY in chosen_pages:
            for name, warm in (("a browser that was there before", True), ("a new one", False)):
                first_pictures, own_pictures = zip(
                    *first_paints(browser, address, warm), strict=True
                )
                rows.append(row(f"story: first paint, {name}", list(first_pictures)))
                rows.append(row("story: the page's own picture", list(own_pictures)))
        for change in (change for change in CHANGES if change.page in chosen_pages):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(60_000)
            path = "" if change.page == STORY else change.page
            page.goto(f"{address}/{path}?{change.link}")
            rows.append(row(f"{change.page}: {change.what}", times(page, change)))
            page.close()
    load = os.getloadavg()[0]
    title = f"Redraw in ms, {ROUNDS} changes each; load {load:.1f} on {os.cpu_count()} cores"
    table(title, ("page", "median", "least", "most"), rows)


if __name__ == "__main__":
    main()
