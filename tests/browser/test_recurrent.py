"""The list of all models, their scores and translations, with the alignment of one of them."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest
from model.recurrent.config import ATTENDING, FIXED

ALL = len(ATTENDING) + 1
"""The recurrent models, and the Transformer."""


def test_a_visit_to_all_models(page: Page, app: str) -> None:
    page.goto(f"{app}/recurrent?sentence=My+sister+is+here.&models=all")
    models = page.locator(".listed .model")
    expect(models).to_have_count(ALL)
    rest(page)  # else what is still to come moves another cell under the pointer
    additive_attention_is_large_first(page, models)
    bars_are_as_long_as_their_scores(models)
    the_pointer_tells_the_weight_in_every_model(page, models)
    a_model_is_chosen_by_keyboard(page, models)


def additive_attention_is_large_first(page: Page, models: Locator) -> None:
    large = page.locator(".listed figure").filter(visible=True)
    expect(large).to_have_count(1)
    expect(large.locator("table")).to_be_visible()
    expect(models.filter(has_text=re.compile("additive(?!,)"))).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator(".listed .axes")).to_contain_text("query")
    expect(models.locator("canvas")).to_have_count(ALL - len(FIXED))


def a_model_is_chosen_by_keyboard(page: Page, models: Locator) -> None:
    large = page.locator(".listed figure").filter(visible=True)
    models.first.press("Enter")
    expect(models.first).to_have_attribute("aria-pressed", "true")
    expect(large.locator("table")).to_have_count(0)
    expect(large).to_contain_text("No alignment")
    models.last.press("Enter")
    expect(large.locator("table")).to_be_visible()


def the_pointer_tells_the_weight_in_every_model(page: Page, models: Locator) -> None:
    cells = page.locator(".listed figure").filter(visible=True).locator("td:not(.corner)")
    cells.nth(2).hover()
    readings = models.locator(".reading")
    for number in range(ALL - len(FIXED)):
        expect(readings.nth(number)).to_contain_text("→")
    assert readings.count() == ALL - len(FIXED)


def bars_are_as_long_as_their_scores(models: Locator) -> None:
    scores = [float(text) for text in models.locator(".score").all_inner_texts()]
    lengths = models.locator(".bar").evaluate_all(
        "bars => bars.map(bar => bar.firstChild.offsetWidth / bar.offsetWidth)"
    )
    assert len(scores) == ALL
    assert lengths == pytest.approx([score / max(scores) for score in scores], abs=0.02)


def test_lines_end_at_their_words_and_one_word_s_lines_stand_out(page: Page, app: str) -> None:
    page.goto(f"{app}/recurrent?sentence=My+sister+is+here.")
    cards = page.locator(".contrast .card")
    expect(cards).to_have_count(3)
    expect(cards.first.locator("img.vector")).to_be_visible()
    way = cards.last
    word = way.locator(".written > *").first
    expect(way.locator("path").first).to_be_attached()
    rest(page)
    word.hover()
    own = way.locator("path.own")
    expect(own.first).to_be_attached()
    middle = word.evaluate("(word) => word.offsetLeft + word.offsetWidth / 2")
    ends = own.evaluate_all("(paths) => paths.map((path) => path.getPointAtLength(1e6).x)")
    assert ends == pytest.approx([middle] * len(ends), abs=0.5)


def test_strips_that_go_on_are_marked_and_scroll_together(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/recurrent?sentence=My+sister+has+sold+her+old+bicycle+to+a+friend.")
    strips = page.locator(".contrast .picture")
    expect(strips).to_have_count(3)
    for number in range(3):
        expect(strips.nth(number)).to_have_attribute("data-more", "right")
    expect(page.locator(".goes-on")).to_be_visible()
    rest(page)
    strips.first.evaluate("node => { node.scrollLeft = node.scrollWidth; }")
    for number in range(3):
        expect(strips.nth(number)).to_have_attribute("data-more", "left")
