"""A walk through the page of tokens and embeddings."""

import re

from playwright.sync_api import Page, expect

from browser.waiting import rest
from tests.browser.figures import picture
from tests.browser.views import choose_view

SENTENCE = "I+arrived+at+the+bank+after+crossing+the+river."
PATIENCE = 60_000


def test_a_walk_through_the_views(page: Page, app: str) -> None:
    page.goto(f"{app}/tokens?sentence={SENTENCE}")
    cards = page.get_by_test_id("stHtml").filter(has_text="·").last
    expect(cards).to_contain_text("·river", timeout=PATIENCE)
    rest(page)
    page.get_by_role("radio", name="🦉").click()
    expect(cards).to_contain_text("<0xF0>", timeout=PATIENCE)

    choose_view(page, "Other cuts")
    expect(picture(page, "cuts")).to_contain_text("·river", timeout=PATIENCE)
    page.get_by_role("radio", name="crossing").click()
    expect(picture(page, "cuts")).not_to_contain_text("·river", timeout=PATIENCE)
    rest(page)
    the_explanation_holds_formulas(page)

    choose_view(page, "Embedding")
    page.locator("button.chip[data-position='4']").click()
    expect(picture(page, "strips")).to_contain_text("PE(4)", timeout=PATIENCE)
    expect(page).to_have_url(re.compile("word=5"))

    choose_view(page, "Neighbours")
    expect(picture(page, "neighbours")).to_contain_text("cosine", timeout=PATIENCE)
    rest(page)
    nearest = picture(page, "neighbours").locator(".ytick text").first
    before = nearest.text_content()
    page.locator("button.chip[data-position='1']").click()
    expect(nearest).not_to_have_text(before or "", timeout=PATIENCE)
    nothing_is_wider_than_the_window(page)

    choose_view(page, "Map")
    expect(picture(page, "map")).to_contain_text("component 1", timeout=PATIENCE)
    expect(picture(page, "map").locator(".textpoint").first).to_be_visible()


def the_explanation_holds_formulas(page: Page) -> None:
    page.get_by_text("What am I looking at?").click()
    expect(page.locator(".katex").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".katex-error")).to_have_count(0)


def nothing_is_wider_than_the_window(page: Page) -> None:
    for width in (1920, 1024):
        page.set_viewport_size({"width": width, "height": 800})
        rest(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box = picture(page, "neighbours").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width


def test_one_word_is_counted_in_plain_grammar(page: Page, app: str) -> None:
    page.goto(f"{app}/tokens?sentence=Hello")
    found = page.locator(".st-key-finding")
    expect(found).to_contain_text("1 word: 3 pieces. “Hello” is cut into 3", timeout=PATIENCE)
    expect(page.locator(".cut-sentence")).to_have_text("Hello")
    page.goto(f"{app}/tokens?sentence=the")
    expect(found).to_contain_text("1 word: 1 piece. Each piece looks up", timeout=PATIENCE)
