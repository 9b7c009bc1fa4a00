"""The mode for a class: what it hides, how large things are, and what a remote control does."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest

MODE = "[data-headlight-presents]"
PRESENT = "Show it to a class"


def test_the_key_p(app: str, page: Page) -> None:
    page.goto(f"{app}/tokens")
    it_hides_the_navigation_and_makes_the_page_larger(page)
    the_mode_goes_along_to_the_next_page_and_back(page)
    in_a_field_it_is_a_letter(page)


def drawn_for(page: Page, a_class: bool) -> None:
    """Wait until the server, too, has drawn the page for the mode, and nothing moves any more."""
    stage = "true" if a_class else "false"
    expect(page.locator(".tools[data-stage]")).to_have_attribute("data-stage", stage)
    rest(page)


def it_hides_the_navigation_and_makes_the_page_larger(page: Page) -> None:
    heading = page.get_by_role("heading", name="Words to vectors")
    expect(page.get_by_role("button", name=PRESENT)).to_have_attribute("aria-pressed", "false")
    expect(heading).to_be_visible()
    view = page.get_by_role("radio", name="Embedding")
    rest(page)
    small = view.bounding_box()
    page.keyboard.press("p")
    expect(page.locator(MODE)).to_have_count(1)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.wait_for_url("**present=1**")
    expect(heading).to_be_visible()
    drawn_for(page, a_class=True)
    large = view.bounding_box()
    assert small
    assert large
    assert large["width"] > 1.2 * small["width"]
    bar = page.locator(".st-key-top-bar").locator("..").bounding_box()
    assert bar is not None
    assert round(bar["height"]) <= 64
    expect(page.locator(".bar-halo")).to_be_hidden()  # where the pointer is, nobody knows yet
    page.mouse.move(400, 300)
    halo = page.locator(".bar-halo").bounding_box()
    assert halo is not None
    assert (halo["x"] + halo["width"] / 2, halo["y"] + halo["height"] / 2) == (400, 300)
    page.keyboard.press("p")
    expect(page.locator(MODE)).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present"))


def the_mode_goes_along_to_the_next_page_and_back(page: Page) -> None:
    expect(page.get_by_role("button", name=PRESENT)).to_have_attribute("aria-pressed", "false")
    drawn_for(page, a_class=False)
    page.keyboard.press("p")
    page.wait_for_url("**present=1**")
    drawn_for(page, a_class=True)
    page.get_by_role("link", name="Next: Order").click()
    expect(page).to_have_url(re.compile(r"/positions\?.*present=1"))
    expect(page.get_by_role("heading", name="Order")).to_be_visible()
    expect(page.locator(MODE)).to_have_count(1)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.go_back()
    expect(page.get_by_role("heading", name="Words to vectors")).to_be_visible()
    expect(page.locator(MODE)).to_have_count(1)
    rest(page)
    page.keyboard.press("p")
    expect(page.locator(MODE)).to_have_count(0)


def in_a_field_it_is_a_letter(page: Page) -> None:
    box = page.get_by_label("Sentence to translate")
    box.fill("")
    box.press_sequentially("Pip")
    expect(box).to_have_value("Pip")
    expect(page.locator(MODE)).to_have_count(0)


def test_a_table_is_no_wider_than_the_page(app: str, page: Page) -> None:
    page.goto(f"{app}/positions?positions=longer texts&present=1")
    expect(page.locator(MODE)).to_have_count(1)
    table = page.get_by_test_id("stTable")
    table.scroll_into_view_if_needed()
    rest(page)
    box, size = table.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    assert size["width"] / 2 < box["x"] + box["width"] <= size["width"]


def test_doubts_stand_beside_the_title_and_open(app: str, page: Page) -> None:
    page.goto(f"{app}/lab_scale?sentence=WHAT+IS+THE+(BULLET)+MADE+OF%3F&present=1")
    line = page.locator(".st-key-doubts").get_by_role("button")
    expect(line).to_be_visible()
    rest(page)
    title = page.get_by_role("heading", name="Break it: scale and positions").bounding_box()
    doubts = line.bounding_box()
    views = page.get_by_role("radio", name="Positions side by side").bounding_box()
    assert title
    assert doubts
    assert views
    assert title["x"] + title["width"] < doubts["x"]
    assert doubts["y"] < title["y"] + title["height"] / 2 < doubts["y"] + doubts["height"]
    assert views["y"] < doubts["y"] + doubts["height"]
    line.click()
    page.get_by_role("button", name="Try small letters").click()
    expect(page.get_by_label("Sentence to translate")).to_have_value(
        "What is the (bullet) made of?"
    )


def test_a_remote_control_takes_the_decoders_steps(app: str, page: Page) -> None:
    page.goto(f"{app}/decoder?step=2&present=1")
    decoder = page.locator(".decoder")
    expect(decoder).to_have_attribute("data-step", "2")
    expect(page.locator(MODE)).to_have_count(1)
    expect(page.locator(".bar-halo")).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(decoder).to_have_attribute("data-step", "3")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    expect(decoder).to_have_attribute("data-step", "1")
    expect(picture_of_the_decoder(page)).to_have_css("filter", "contrast(1.15)")


def test_a_remote_control_turns_the_scenes_of_a_lesson(app: str, page: Page) -> None:
    page.goto(f"{app}/?lesson=il_elle&scene=1&present=1")
    card = page.locator("nav.bar")
    expect(card).to_have_attribute("data-scene", "1")
    expect(page.locator(MODE)).to_have_count(1)
    expect(page.get_by_role("button", name="Copy the link")).to_be_visible()
    for key, scene in (("PageDown", "2"), ("PageDown", "3"), ("PageUp", "2")):
        page.keyboard.press(key)
        expect(card).to_have_attribute("data-scene", scene)
        expect(page).to_have_url(re.compile(f"scene={scene}"))
        expect(page).to_have_url(re.compile("present=1"))
        expect(page.locator(MODE)).to_have_count(1)
        expect(page.get_by_role("button", name="Copy the link")).to_be_visible()
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning"
        )


@pytest.mark.nightly
def test_contrast_leaves_no_band_around_a_picture_in_the_dark(app: str, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{app}/decoder?present=1")
    expect(picture_of_the_decoder(page)).to_have_css("filter", "none")


def picture_of_the_decoder(page: Page) -> Locator:
    return page.locator(".stBidiComponent", has=page.locator(".decoder"))
