"""The way through all pages: by the link at the end of each, and back with the browser."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from browser.explorer_file import explorer
from browser.waiting import rest
from tests.sentences import EXAMPLES
from viz.course.entry import PageEntry
from viz.course.pages import COURSE, FIRST, after
from viz.shell.lessons.shelf import read_shelf
from viz.shell.navigation import title_of


@pytest.mark.parametrize(
    "some", [COURSE[2:5], pytest.param(COURSE[2:], marks=pytest.mark.nightly)], ids=["first", "all"]
)
def test_next_leads_through_the_course_with_what_is_chosen(
    app: str, page: Page, some: Sequence[PageEntry]
) -> None:
    """Each page has the link to the next: see `test_every_page`."""
    bank = EXAMPLES["the bank"]
    chosen = "kind=cross&layer=3&head=5&step=6&edits=zero.e.1.1"
    page.goto(f"{app}/{after(FIRST).link}?{chosen}&sentence={bank}")
    explorer(page)
    for entry in some:
        page.get_by_role("link", name=f"Next: {title_of(entry)}").click()
        expect(page).to_have_url(re.compile(rf"/{entry.link}\?"))
        expect(page.locator(".stSidebar [aria-current='page']")).to_contain_text(title_of(entry))
        rest(page)
        expect(page.get_by_label("Sentence to translate")).to_have_value(bank)
        for part in chosen.split("&"):
            expect(page).to_have_url(re.compile(re.escape(part)))
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Attention", exact=True).click()
    root = explorer(page)
    for name, value in {"layer": "3", "heads": "5", "locks": "q6"}.items():
        expect(root).to_have_attribute(f"data-{name}", value)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="The story").click()
    expect(page.get_by_role("link", name="Next: Attention")).to_be_visible()


def test_back_and_forward_across_pages_keep_what_was_chosen(app: str, page: Page) -> None:
    page.goto(f"{app}/tokens?tokens=map")
    rest(page)
    box = page.get_by_label("Sentence to translate")
    box.fill(EXAMPLES["too wide"])
    box.press("Enter")
    expect(page.locator(".bar-said").last).to_contain_text("large")
    page.get_by_role("link", name="Next: Order").click()
    page.wait_for_url("**/positions**")
    expect(page.get_by_role("heading", name="Order")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Words to vectors")).to_be_visible()
    expect(box).to_have_value(EXAMPLES["too wide"])
    page.go_forward()
    expect(page.get_by_role("heading", name="Order")).to_be_visible()
    expect(box).to_have_value(EXAMPLES["too wide"])


def test_a_lesson_leads_on_by_itself(app: str, page: Page) -> None:
    page.goto(f"{app}/?lesson=il_elle&scene=1")
    lesson = read_shelf("en").find("il_elle")
    assert lesson is not None
    expect(page.get_by_text(f"1 / {len(lesson.scenes)}")).to_be_visible()
    expect(page.get_by_role("link", name="Next:")).to_have_count(0)
