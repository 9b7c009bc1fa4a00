"""The pages and views that are visited, and what holds for some of them alone."""

from urllib.parse import parse_qsl, urlencode

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import LONG
from viz.course.pages import COURSE, FIRST

WIDTH, HEIGHT = 1280, 720
"""The pixels of a projector, and of a small screen."""


def address(link: str, **more: str) -> str:
    """Return what leads to a page: the first one has no name."""
    name, _, query = link.partition("?")
    said = urlencode({**dict(parse_qsl(query)), **more})
    return f"{'' if name == FIRST else name}{'?' if said else ''}{said}"


def odds_add_up_and_the_chosen_is_large(page: Page) -> None:
    bars = page.locator(".decoder .bars .bar").filter(visible=True)
    expect(bars).to_have_count(4, timeout=LONG)  # three pieces, and all others
    shares = [one.get_attribute("data-probability") for one in bars.all()]
    assert sum(float(share or 0) for share in shares) == pytest.approx(1, abs=1e-6)
    chosen = bars.locator("..").locator(".chosen")
    size = chosen.locator(".number").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert 1.25 * size >= 28
    box = chosen.locator(".track").bounding_box()
    assert box
    assert box["width"] >= 120


def other_pieces_come_when_they_are_pointed_at(page: Page) -> None:
    chips = page.locator(".st-key-token-row-key .chip")
    expect(chips.filter(visible=True)).to_have_count(1, timeout=LONG)
    page.locator(".st-key-token-row-key .row").hover()
    expect(chips.first).to_be_visible()
    chips.first.click()
    page.mouse.move(2, 700)
    expect(chips.filter(visible=True)).to_have_count(1)
    expect(chips.first).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page.locator(".ribbons .sums")).to_be_in_viewport(ratio=0.99)


def most_queries_of_the_mask_are_in_view(page: Page) -> None:
    """16.5 of 17 queries stand below the choice of a head."""
    shown = """(canvas) => {
      const { top, cell } = canvas.dataset;
      const begin = canvas.getBoundingClientRect().top + canvas.currentCSSZoom * top;
      return (window.innerHeight - begin) / (canvas.currentCSSZoom * cell);
    }"""
    assert page.locator(".st-key-mask-board canvas").evaluate(shown) > 16.5


def mean_is_pressed_on_the_folded_board(page: Page) -> None:
    picker = page.locator(".head-picker")
    picker.locator(".opener").click(timeout=LONG)
    picker.get_by_role("button", name="mean of all heads").click()
    expect(picker).to_have_attribute("data-chosen", "mean of all heads")
    expect(page.locator(".alignments").first).to_be_in_viewport()


def toolbar_is_one_line(page: Page) -> None:
    toolbar = page.locator(".explorer .toolbar")
    assert toolbar.evaluate("(bar) => bar.offsetHeight") <= 48
    expect(toolbar.locator(".share .opener")).to_be_in_viewport(ratio=1)


def all_heads_are_in_view(page: Page) -> None:
    toolbar_is_one_line(page)
    page.keyboard.press("g")
    expect(page.locator(".explorer .thumb").last).to_be_in_viewport(ratio=1, timeout=LONG)


VISITS = {
    f"{entry.link}?{visit.view}" if visit.view else entry.link: visit
    for entry in COURSE
    for visit in entry.visits
}
"""What a browser finds on pages and their views, by their links."""

CHECKS = {
    "attention": all_heads_are_in_view,
    "decoder": odds_add_up_and_the_chosen_is_large,
    "why": other_pieces_come_when_they_are_pointed_at,
    "lab_masks": most_queries_of_the_mask_are_in_view,
    "two_models": mean_is_pressed_on_the_folded_board,
}
"""What a page does on stage beside that."""
