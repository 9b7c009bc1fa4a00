"""What holds on every page for everybody: axe finds nothing of ours, and nothing jumps."""

import json
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Scheme
from viz.course.pages import COURSE

LONG = 60_000
PAGES = [
    *(entry.link for entry in COURSE),
    "atlas?atlas=Queries+and+keys",
    "atlas?against=With+its+past",
]
DARK = ("story", "attention", "lab_heads", "positions", "about")
"""Pages that have all kinds of things that a theme colours."""

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
STREAMLITS = ("[data-testid='stSidebarNav']",)
"""Streamlit's own: its list of pages has headings between its items."""

MOST_SHIFT = 0.1
"""How far a page may jump while it comes: what visitors feel as stable (web.dev/articles/cls)."""

WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


def found_by_axe(page: Page) -> dict[str, list[str]]:
    """List what axe finds, by its rules, without what is Streamlit's own."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    context = json.dumps({"exclude": [[selector] for selector in STREAMLITS]})
    result: dict[str, Any] = page.evaluate(
        f"() => axe.run({context}, {{ resultTypes: ['violations'] }})"
    )
    return {
        broken["id"]: [node["html"][:160] for node in broken["nodes"]]
        for broken in result["violations"]
    }


@pytest.mark.parametrize(
    ("link", "scheme"), [*((link, "light") for link in PAGES), *((link, "dark") for link in DARK)]
)
def test_axe_finds_nothing_of_ours_and_nothing_jumps(
    browser: Browser, app: str, link: str, scheme: Scheme
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
    page = context.new_page()
    page.add_init_script(WATCH_SHIFTS)
    page.goto(f"{app}/{link}")
    running = page.get_by_test_id("stApp")
    expect(running).to_have_attribute("data-test-script-state", "notRunning", timeout=LONG)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=LONG)
    page.wait_for_timeout(500)
    assert sum(page.evaluate("() => window.shifts")) <= MOST_SHIFT
    assert found_by_axe(page) == {}
    context.close()


def test_axe_finds_a_text_with_too_little_contrast(page: Page) -> None:
    page.set_content("<html lang='en'><title>t</title><main><p style='color:#999'>Pale</p></main>")
    assert list(found_by_axe(page)) == ["color-contrast", "page-has-heading-one"]
