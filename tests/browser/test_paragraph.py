"""A text that is too long for one pass: its sentences are chosen, and what is shown follows."""

import re
from urllib.parse import quote, quote_plus

from playwright.sync_api import Page, expect

from browser.waiting import rest

PARTS = [f"The cat number {number} sleeps in the old house by the river." for number in range(14)]


def test_a_sentence_of_a_paragraph_is_chosen(page: Page, app: str) -> None:
    width = 390
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{app}/attention?sentence={quote(' '.join(PARTS))}")
    explorer = page.locator(".explorer")
    box = page.get_by_role("combobox", name="This text has 14 sentences")
    expect(box).to_be_visible()
    expect(page.get_by_text("only its first 128 pieces are used")).to_be_visible()
    rest(page)
    box.click()
    page.get_by_role("option", name=PARTS[3]).click()
    expect(explorer.locator(".queries li, .keys li").filter(has_text="3")).not_to_have_count(0)
    expect(page.get_by_text("only its first")).to_have_count(0)
    expect(page.locator(".bar-said").first).to_have_text(PARTS[3])
    expect(box).to_be_visible()  # another can be chosen
    # The address is written with the last of the answer, after the picture has been drawn.
    expect(page).to_have_url(re.compile(re.escape(quote_plus(PARTS[3]))))
    rest(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    box.click()
    page.get_by_role("option", name=PARTS[12]).click()
    expect(page.locator(".bar-said").first).to_have_text(PARTS[12])
