"""The live pages of the site as a visitor has them: first paint, new sentences, a head toggled."""

import json
import os
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page

from viz.site.pages import ATTENTION, LIVE, STORY
from viz.site.site import write_site

_SENTENCE = "The {} didn't open the {} because it was too cold."
_WHO = ("children", "teacher", "doctor", "father", "mother", "student", "women", "men", "king")
_WHAT = ("window", "door", "house", "shop", "box", "letter", "car", "school", "church", "room")
SENTENCES = [_SENTENCE.format(who, what) for what in _WHAT for who in _WHO]
"""Sentences of 17 pieces, none of them recorded. Each is asked once: a page keeps its last runs."""

SLOWER = 4
"""How many times slower a phone is taken to be."""

MEASURED = """
window.firstPaint = () => new Promise((done) => {
  new PerformanceObserver((entries) => {
    const [paint] = entries.getEntriesByName("first-contentful-paint");
    if (paint) done(paint.startTime);
  }).observe({ type: "paint", buffered: true });
});
window.painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
window.firstAnswer = new Promise((done) => {
  new MutationObserver(async (_records, seen) => {
    const isBusy = document.getElementById("picture")?.getAttribute("aria-busy");
    if (!document.body?.dataset.model || isBusy !== "false") return;
    seen.disconnect();
    await painted();
    done(performance.now());
  }).observe(document, {
    attributes: true, subtree: true, attributeFilter: ["aria-busy", "data-model"],
  });
});
window.answered = (act) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error("no answer within a minute")), 60_000);
  const picture = document.getElementById("picture");
  let busy = false;
  const started = performance.now();
  new MutationObserver(async (_records, seen) => {
    busy ||= picture.getAttribute("aria-busy") === "true";
    if (!busy || picture.getAttribute("aria-busy") === "true") return;
    seen.disconnect();
    await painted();
    done(performance.now() - started);
  }).observe(picture, { attributes: true, attributeFilter: ["aria-busy"] });
  act();
});
window.typed = (text) => answered(() => {
  const box = document.getElementById("sentence");
  box.value = text;
  box.form.requestSubmit();
});
window.toggled = () => answered(() => {
  document.getElementById("picture").shadowRoot.querySelector("[data-link=off]").click();
});
"""


class _Cached(SimpleHTTPRequestHandler):
    """Serves files that a browser may keep, without logging."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def site() -> Iterator[str]:
    """Write the site of the model in force, serve it, and yield its address."""
    with tempfile.TemporaryDirectory() as name:
        write_site(Path(name) / "site", tell=lambda _page: None)
        handler = partial(_Cached, directory=f"{name}/site")
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def first_paints(page: Page, address: str, rounds: int) -> dict[str, list[float]]:
    """Return the milliseconds from opening a page to its first paint, for each live page."""
    times: dict[str, list[float]] = {name: [] for name in (STORY, *LIVE)}
    for _ in range(rounds):
        for name, own in times.items():
            page.goto(f"{address}/{name}.html", wait_until="load")
            own.append(page.evaluate("firstPaint()"))
    return times


def from_cache(page: Page, address: str, rounds: int) -> list[float]:
    """Return the milliseconds from opening a page to its painted translation, its model kept.

    The page tells when that is: to ask for it again and again would make it paint every frame.
    """
    took: list[float] = []
    for _ in range(rounds + 2):
        page.goto(f"{address}/{ATTENTION}.html?{urlencode({'sentence': SENTENCES[0]})}")
        took.append(page.evaluate("firstAnswer"))
    return took[2:]


def new_sentences(page: Page, rounds: int, texts: Iterator[str]) -> list[float]:
    """Return the milliseconds from Enter to the painted picture of a sentence, after two rounds."""
    return [_typed(page, next(texts)) for _ in range(rounds + 2)][2:]


def toggles(page: Page, rounds: int, texts: Iterator[str]) -> list[float]:
    """Return the milliseconds from a press that switches a head off to its picture.

    Each time, the sentence is a new one: the page keeps its last runs.
    """
    took: list[float] = []
    for _ in range(rounds + 2):
        _typed(page, next(texts))
        took.append(page.evaluate("toggled()"))
        page.evaluate("toggled()")  # on again
    return took[2:]


def _typed(page: Page, text: str) -> float:
    return page.evaluate(f"typed({json.dumps(text)})")


@contextmanager
def slowed(processes: Sequence[int]) -> Iterator[None]:
    """Let processes run for a quarter of the time only, in turns of milliseconds."""
    ended = threading.Event()

    def turns() -> None:
        run = 0.004
        while not ended.is_set():
            for number in processes:
                os.kill(number, signal.SIGSTOP)
            time.sleep((SLOWER - 1) * run)
            for number in processes:
                os.kill(number, signal.SIGCONT)
            time.sleep(run)

    thread = threading.Thread(target=turns)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def rows(
    page: Page,
    address: str,
    rounds: int,
    processes: Callable[[], Sequence[int]],
    resident: Callable[[Sequence[int]], float],
) -> list[tuple[str, str, str]]:
    """Measure the pages; return the name of each figure, the figure, and its bar.

    `processes` lists the processes that draw the page, and `resident` tells their megabytes.
    """
    page.add_init_script(MEASURED)
    paints = first_paints(page, address, max(3, rounds // 3))
    visited, page = page, page.context.new_page()  # without what a browser keeps of other pages
    visited.close()
    page.add_init_script(MEASURED)
    cached = from_cache(page, address, max(3, rounds // 3))
    texts = iter(SENTENCES[1:])
    new, toggled = new_sentences(page, rounds, texts), toggles(page, rounds, texts)
    own = processes()
    megabytes = resident(own)
    with slowed(own):
        phone = new_sentences(page, max(3, rounds // 3), texts)
    said = [(f"first paint of {name}.html", _said(own), "500 ms") for name, own in paints.items()]
    return [
        *said,
        ("from opening the page, weights kept, to a translation", _said(cached), "1000 ms"),
        ("new sentence of 17 pieces, translated, recorded, painted", _said(new), "250 ms"),
        ("head switched off, painted", _said(toggled), "150 ms"),
        (f"the same sentence, {SLOWER} times slower", _said(phone), "1500 ms"),
        ("memory of the page with its model", f"{megabytes:.0f} MB", "250 MB"),
    ]


def _said(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.0f} ms (least {min(times):.0f})"
