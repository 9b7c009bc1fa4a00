"""The explorer of an artificial recording in a separate file: no server, no network."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from browser.waiting import LONG, limited
from viz.components.attention_explorer.file import explorer_page
from viz.components.attention_explorer.recording import ExplorerRecording

TOGETHER = "kind=cross&layer=2&heads=6-7-8&view=lines"
"""A link to three heads of the artificial recording."""


def write_explorer(
    folder: Path, recording: ExplorerRecording, view: str = TOGETHER, dark: bool = False
) -> str:
    """Write the file and return its address."""
    path = folder / "explorer.html"
    path.write_text(explorer_page(recording, view, dark), encoding="utf-8")
    return path.as_uri()


def explorer(page: Page) -> Locator:
    """Return the explorer once it is painted."""
    root = page.locator(".explorer")
    expect(root).to_have_attribute("data-painted", re.compile(r"\d"), timeout=LONG)
    settle(page)
    return root


def settle(page: Page) -> None:
    """Wait until everything requested is drawn, and no line is moving any more."""
    frames = "() => new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))"
    page.evaluate(limited(frames, "two frames"))
    page.wait_for_selector(".explorer:not([data-moving='yes'])", state="attached")


def ink(page: Page) -> float:
    """Return the drawn share of the canvas with the lines."""
    return page.locator(".lines canvas").evaluate_all(
        """canvases => {
            const shown = canvases.find(one => getComputedStyle(one).visibility === 'visible');
            const {width, height} = shown;
            const {data} = shown.getContext('2d').getImageData(0, 0, width, height);
            let drawn = 0;
            for (let at = 3; at < data.length; at += 4) drawn += data[at] > 8;
            return drawn / (data.length / 4);
        }"""
    )


def colour_at(page: Page, canvas: str, x: float, y: float) -> tuple[int, int, int]:
    """Return the colour of a canvas at a place given in CSS pixels."""
    return tuple(
        page.locator(canvas).evaluate(
            """(canvas, [x, y]) => {
                const scale = canvas.width / canvas.getBoundingClientRect().width;
                const pixel = canvas.getContext('2d').getImageData(x * scale, y * scale, 1, 1);
                return [...pixel.data].slice(0, 3);
            }""",
            [x, y],
        )
    )


def cell_place(page: Page, row: int, column: int) -> tuple[float, float]:
    """Return where a cell of the matrix is on its canvas, in CSS pixels."""
    cells = page.locator(".matrix canvas").get_attribute("data-cells")
    assert cells is not None
    left, top, wide, high = map(float, cells.split())
    return left + (column + 0.2) * wide, top + (row + 0.2) * high


def token(page: Page, side: str, number: int) -> Locator:
    """Return a token by its column ("queries" or "keys") and its number from 0."""
    return page.locator(f".{side} li").nth(number)
