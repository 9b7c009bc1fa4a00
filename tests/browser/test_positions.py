"""A walk through the page of positions."""

import math
import re

from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest
from tests.browser.figures import picture
from tests.browser.views import choose_view
from viz.figures.labels import Number

VIEWS = {
    "table": ("table", "interleaved"),
    "dot products": ("products", "for any p"),
    "shift by k": ("shift", "The matrix M"),
    "added or joined": ("combination", "concatenated"),
}
PATIENCE = 60_000


def clocks(page: Page) -> Locator:
    found = page.locator(".clocks")
    expect(found).to_have_attribute("data-ready", "true", timeout=PATIENCE)
    return found


PAUSED_BEYOND = """
(clocks, position) => new Promise((done) => {
  const look = () => {
    if (Number(clocks.dataset.position) <= position) return requestAnimationFrame(look);
    [...clocks.querySelectorAll("button")].find((one) => one.textContent.includes("Pause")).click();
    done();
  };
  look();
})
"""
"""Pauses the clocks in the frame in which they pass a position: they are quicker than a driver."""


def test_a_position_moves_along_the_words_once_and_every_view_opens(page: Page, app: str) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{app}/positions")
    found = page.locator(".clocks")
    expect(found).to_have_attribute("data-playing", "true", timeout=PATIENCE)  # for nine seconds
    expect(page.locator(".st-key-finding")).to_contain_text("128 pairs turn", timeout=PATIENCE)
    expect(found).to_have_attribute("data-position", "14", timeout=PATIENCE)
    expect(found).to_have_attribute("data-playing", "false")
    expect(found.locator(".said")).to_have_text("position 14: “·tired”")
    found.get_by_role("button", name="Play").click()  # on, past the sentence
    found.evaluate(PAUSED_BEYOND, 16)
    expect(found.locator(".said")).to_contain_text("after the sentence")
    position = found.get_attribute("data-position") or ""  # a whole one, and so are its numbers
    expect(found.locator("input")).to_have_js_property("value", position)
    sine = f"{Number(math.sin(int(position))):.2f}"
    expect(found.locator(".values .sine").first).to_have_text(sine)
    for name, (key, text) in VIEWS.items():
        choose_view(page, name.capitalize())
        expect(picture(page, key)).to_contain_text(text, timeout=PATIENCE)
        expect(found).to_have_count(0)
        expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page).to_have_url(re.compile("positions=added"))
    choose_view(page, "Curves")
    expect(clocks(page)).to_have_attribute("data-playing", "false")


def test_a_position_is_chosen_by_word_key_and_pointer(page: Page, app: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{app}/positions?dimensions=1&dimensions=9")
    found = clocks(page)
    expect(found).to_have_attribute("data-playing", "false")
    expect(found.locator(".row")).to_have_count(2)
    rest(page)
    found.get_by_role("button", name="·street").click()
    expect(found).to_have_attribute("data-position", "8")
    expect(found.locator(".row").first).to_contain_text("0.99\u22120.15")  # of 8 radians
    expect(found.locator(".added")).to_contain_text(
        "what is added to “·street”: 256 numbers from \u22121 to 1"
    )
    found.get_by_role("slider").press("ArrowRight")
    expect(found.locator("[aria-current]")).to_have_text("·be")
    wave = found.locator(".waves").first
    box = wave.bounding_box()
    assert box
    wave.click(position={"x": box["width"] - 9, "y": 20})
    expect(found).to_have_attribute("data-position", "63")
    another_base_turns_the_clocks_faster(page)
    the_explanation_holds_formulas(page)


def another_base_turns_the_clocks_faster(page: Page) -> None:
    row = clocks(page).locator(".row").nth(1)
    expect(row).to_contain_text("once round in 8.4 positions")
    page.locator(".st-key-base input").press("ArrowLeft")
    expect(row).to_contain_text("once round in 7.8 positions", timeout=PATIENCE)
    expect(page).to_have_url(re.compile("base=1000"))
    rest(page)


def the_explanation_holds_formulas(page: Page) -> None:
    page.get_by_text("What am I looking at?").click()
    expect(page.locator(".katex").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".katex-error")).to_have_count(0)


def test_a_number_chosen_here_is_a_change_of_the_model_beside_it(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_scale?break=positions+side+by+side&edits=shift.e.9_shuffle.d.3")
    model = picture(page, "model")
    expect(model.locator(".heatmaplayer image")).to_have_count(2, timeout=PATIENCE)
    expect(page.locator(".outcome .name")).to_have_text(["Before", "After"])
    expect(page.locator(".outcome mark").first).to_be_visible()  # a word of only one
    for text in ("query: who is looking", "key: who is looked at", "decoder positions shuffled"):
        expect(model).to_contain_text(text)
    expect(model).to_contain_text("shifted by +9")
    rest(page)
    page.locator(".st-key-positions-number-encoder input").press("ArrowUp")
    expect(model).to_contain_text("shifted by +10", timeout=PATIENCE)
    expect(page.get_by_role("button", name="encoder positions shifted by +10")).to_be_visible()
    expect(page).to_have_url(re.compile(r"lab_scale.break=positions.*edits=\S*shift\.e\.10"))
    assert "change=" not in page.url
