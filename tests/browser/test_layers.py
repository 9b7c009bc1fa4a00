import re

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import rest
from tests.browser.clock import hold_clock, tick
from tests.browser.views import choose_view
from tests.nightly import nightly

WAIT = 60_000

PACE = 450
"""Milliseconds for a block, when the sentence goes up."""


def test_click_a_block_and_move_a_token_through_the_layers(page: Page, app: str) -> None:
    page.goto(f"{app}/layers?block=encoder.0.self_attn.out&stack=decoder")
    drawing = page.locator("svg[data-chosen]")
    expect(drawing).to_have_attribute("data-chosen", "encoder.0.self_attn.out", timeout=WAIT)
    what_is_read_is_written_on_two_lines_and_the_translation_on_one(page)
    the_chosen_blocks_picture_has_room(page)
    the_keyboard_reaches_a_block(page)
    drawing.locator("[data-site='decoder.0.cross_attn.out']").click()
    expect(drawing).to_have_attribute("data-chosen", "decoder.0.cross_attn.out", timeout=WAIT)
    expect(page.locator(".tensor h3")).to_contain_text("Cross-attention · ")
    expect(page).to_have_url(re.compile(r"block=decoder\.0\.cross_attn\.out"))

    drawing.locator("[data-site='encoder.3.norm2']").click()
    expect(drawing.get_by_text("Encoder, layer 4 of 6")).to_be_visible(timeout=WAIT)
    expect(page.locator(".tensor canvas")).to_be_visible(timeout=WAIT)

    choose_view(page, "One token")
    frame = page.locator(".st-key-stream .shapelayer path").first
    before = frame.get_attribute("d", timeout=WAIT)
    page.locator(".st-key-depth input").press("ArrowLeft")
    expect(frame).not_to_have_attribute("d", before or "", timeout=WAIT)
    page.wait_for_url("**depth=5**")
    expect(page.locator(".st-key-lens .heatmap-label").first).to_be_visible(timeout=WAIT)
    choose_view(page, "Cost")
    expect(page.locator(".st-key-growth .annotation-text")).to_have_count(2, timeout=WAIT)


def what_is_read_is_written_on_two_lines_and_the_translation_on_one(page: Page) -> None:
    lines = page.locator("svg.blocks .words")
    expect(lines.first).to_be_visible(timeout=WAIT)
    said = [line.evaluate("node => node.firstChild.data") for line in lines.all()]
    assert " ".join(said[:2]) == "The animal didn't cross the street because it was too tired."
    assert said[-1].startswith("L'animal n'a pas traversé la rue parce")
    assert not any("…" in line for line in said)


def the_chosen_blocks_picture_has_room(page: Page) -> None:
    plot = page.locator(".architecture .tensor")
    expect(plot).to_be_visible(timeout=WAIT)
    for width in (1600, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        rest(page)
        box = plot.bounding_box()
        assert box is not None
        assert box["width"] >= 360
        assert box["x"] + box["width"] <= width


def the_keyboard_reaches_a_block(page: Page) -> None:
    page.locator("[data-site='encoder.0.ffn.hidden']").focus(timeout=WAIT)
    page.keyboard.press("Enter")
    drawing = page.locator("svg[data-chosen]")
    expect(drawing).to_have_attribute("data-chosen", "encoder.0.ffn.hidden", timeout=WAIT)
    expect(page.locator(".tensor .said")).to_contain_text("1x1 convolution")


def the_pointer_reads_a_number(page: Page) -> None:
    page.locator("[data-site='decoder.softmax'].box").click(timeout=WAIT)
    page.locator(".tensor canvas").hover(timeout=WAIT)
    reading = page.locator(".tensor .reading")
    expect(reading).to_have_text(re.compile(r".+, number .+: [01]\.\d\d"))
    rest(page)  # what is drawn with the answer to the press takes no number away
    expect(reading).to_have_text(re.compile(r".+, number .+: [01]\.\d\d"))


def test_a_link_opens_the_same_block_token_and_depth(page: Page, app: str) -> None:
    page.goto(f"{app}/layers?block=decoder.softmax&sentence=Hi")
    drawing = page.locator("svg[data-chosen]")
    expect(drawing).to_have_attribute("data-chosen", "decoder.softmax", timeout=WAIT)
    the_pointer_reads_a_number(page)
    page.goto(f"{app}/layers?layers=one+token&depth=2&stack=encoder&word=3")
    expect(page.locator(".row")).to_have_attribute("data-chosen", "2", timeout=WAIT)
    expect(page.locator(".st-key-depth input")).to_have_value("2")
    expect(page.locator(".st-key-lens")).to_have_count(0)


@pytest.mark.parametrize("block", ["decoder.4.cross_attn.out", *nightly("encoder.0.self_attn.out")])
def test_on_a_phone_the_chosen_block_is_in_view(page: Page, app: str, block: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/layers?block={block}")
    chosen = page.locator("svg[data-chosen] .box.chosen")
    expect(chosen).to_be_visible(timeout=WAIT)
    page.wait_for_function(
        """node => {
            const box = node.getBoundingClientRect();
            return box.left >= 0 && box.right <= 390;
        }""",
        arg=chosen.element_handle(),
    )


def test_the_sentence_goes_up_when_it_is_played(page: Page, app: str) -> None:
    hold_clock(page, PACE)
    page.goto(f"{app}/layers?block=encoder.0.norm1&sentence=Hi")
    drawn = page.locator(".architecture")
    expect(drawn).to_have_attribute("data-shown", "encoder.0.norm1", timeout=WAIT)
    expect(drawn).to_have_attribute("data-playing", "false")
    drawn.get_by_role("button", name="Play").click()
    expect(drawn).to_have_attribute("data-playing", "true")
    while drawn.get_attribute("data-shown") != "encoder.memory":
        tick(page)
    expect(drawn.locator(".tensor h3")).to_have_text(re.compile("^Memory"))
    drawn.get_by_role("button", name="Pause").click()
    expect(drawn).to_have_attribute("data-playing", "false")
    expect(drawn.locator(".packet")).to_have_css("display", "inline")
    page.locator("[data-site='encoder.0.norm2'].box").click()
    expect(drawn).to_have_attribute("data-shown", "encoder.0.norm2")
    expect(drawn.locator(".packet")).to_have_css("display", "none")
    drawn.get_by_role("button", name="Play").click()
    expect(drawn).to_have_attribute("data-shown", "encoder.embedding")
