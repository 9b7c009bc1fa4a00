"""What holds on every page: it draws its picture, the top bar is low, on a phone it fits.

It loads nothing that the headers forbid, or the page itself fails the test.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.decoder import open_decoder, settled, wait_for_link
from tests.browser.test_stage import PICTURES as MAIN_PICTURES
from viz.course.pages import COURSE

LONG = 60_000
PAGES = [entry.link for entry in COURSE]

PICTURES = "canvas, svg, .js-plotly-plot, .stDataFrame, .stHtml"
"""What pages draw: our components, plotly, tables, pieces."""

SEEN = """() => {
  const main = document.querySelector("[data-testid='stMain']");
  const wide = Math.max(document.documentElement.scrollWidth, main.scrollWidth);
  const bars = [...document.querySelectorAll(".modebar-container")]
    .filter((bar) => getComputedStyle(bar).display !== "none").length;
  const unsaved = [...document.querySelectorAll(".js-plotly-plot")]
    .filter((plot) => !plot.querySelector("[data-title='Download plot']")).length;
  const cut = [...document.querySelectorAll(".stMarkdownBadge, .st-key-edits-row")]
    .filter((node) => node.clientWidth && node.scrollWidth > node.clientWidth)
    .map((node) => node.textContent);
  const found = { wide, bars, unsaved, cut, small: [], hyphens: [] };
  const skipped = ".katex, style, script, code, pre, [data-testid='stIconMaterial']";
  const read = (node) => {
    const size = parseFloat(getComputedStyle(node).fontSize);
    const box = node.closest("svg")?.viewBox.baseVal;
    const scale = box?.width ? node.closest("svg").getBoundingClientRect().width / box.width : 1;
    for (const text of node.childNodes) {
      if (text.nodeType !== 3 || !text.data.trim() || !node.checkVisibility()) continue;
      if (node.closest(skipped)) continue;
      if (size * scale < 10.95) found.small.push(`${text.data} (${size * scale})`);
      if (/(^|[\\s(:,=→])-\\d/.test(text.data)) found.hyphens.push(text.data);
    }
  };
  const walk = (root) => root.querySelectorAll("*").forEach((node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    read(node);
  });
  walk(main);
  return found;
}"""


@pytest.mark.parametrize("link", PAGES)
def test_a_page_draws_its_picture_and_fits(page: Page, app: str, link: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/{link}")
    running = page.get_by_test_id("stApp")
    expect(page.get_by_test_id("stMainBlockContainer")).not_to_be_empty(timeout=LONG)
    expect(running).to_have_attribute("data-test-script-state", "notRunning", timeout=LONG)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=LONG)
    nothing = {"bars": 0, "unsaved": 0, "cut": [], "small": [], "hyphens": []}
    assert page.evaluate(SEEN) == {"wide": 390, **nothing}
    drawn = page.get_by_test_id("stMainBlockContainer").locator(PICTURES).filter(visible=True)
    expect(drawn.first).to_be_visible()
    begins = page.locator(MAIN_PICTURES[link]).first.bounding_box()
    assert begins
    assert begins["y"] < 844, "the page's picture is below the first screen of a phone"
    page.set_viewport_size({"width": 1280, "height": 720})
    bar = page.locator(".st-key-top-bar")
    expect(bar.get_by_role("button", name="Copy the link")).to_be_visible()
    page.locator(".stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    box = bar.locator("..").bounding_box()
    assert box
    assert (round(box["y"]), box["height"] <= 64) == (0, True)


def test_the_whole_model_fits_a_small_screen(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{app}/about")
    picture = page.locator(".st-key-whole-model [tabindex]")
    expect(picture.locator("[data-head='cross 6.8']")).to_be_visible(timeout=LONG)
    assert picture.evaluate("box => box.scrollWidth <= box.clientWidth")
    tile = picture.locator("[data-head='cross 6.8']").bounding_box()
    assert tile
    assert tile["width"] >= 14
    page.set_viewport_size({"width": 1280, "height": 900})


def test_back_and_forward_walk_through_edits(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_heads")
    names = ("encoder 1.1", "cross 5.6")
    for name in names:
        cell = page.locator(f".board .cell[data-switch][aria-label^='{name}']")
        cell.click(timeout=LONG)
        expect(cell).to_have_attribute("aria-pressed", "true", timeout=LONG)
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning"
        )
        page.wait_for_timeout(1200)  # what is done faster is taken back together
    pressed = page.locator(".board .cell[data-switch][aria-pressed='true']")
    for go, count in ((page.go_back, 1), (page.go_back, 0), (page.go_forward, 1)):
        go()
        expect(pressed).to_have_count(count, timeout=LONG)
    expect(page).to_have_url(re.compile(r"edits=zero\.e\.1\.1$"))


def test_back_and_forward_walk_through_the_decoders_steps(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?step=3")
    for step in ("4", "5"):
        decoder.press("ArrowRight")
        wait_for_link(page, "step", step)
        settled(page)
        page.wait_for_timeout(1200)
    for go, step in ((page.go_back, "4"), (page.go_back, "3"), (page.go_forward, "4")):
        go()
        expect(settled(page)).to_have_attribute("data-step", step, timeout=LONG)
