"""The boards on which a head is chosen: by pointer, by keyboard, on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.sentences import DECIDING

LONG = 60_000


@pytest.mark.parametrize("link", ["why", "lab_masks"])
def test_a_press_chooses_the_head_of_the_page(page: Page, app: str, link: str) -> None:
    page.goto(f"{app}/{link}")
    picker = page.locator(".head-picker")
    expect(picker).to_have_attribute("data-chosen", DECIDING, timeout=LONG)
    picker.locator("[data-place='encoder 3.4']").click()
    expect(picker).to_have_attribute("data-chosen", "encoder 3.4", timeout=LONG)
    expect(picker.locator("[aria-pressed='true'].cell")).to_have_attribute("title", "encoder 3.4")
    expect(page).to_have_url(re.compile("kind=encoder&layer=3&head=4"), timeout=LONG)


def test_another_kind_begins_where_the_sentence_opens_and_arrows_go_on(
    page: Page, app: str
) -> None:
    page.goto(f"{app}/head")
    picker = page.locator(".head-picker")
    before = page.locator(".chain")
    expect(before).to_be_visible(timeout=LONG)
    picker.locator("[data-kind='encoder']").click()
    expect(picker).to_have_attribute("data-chosen", re.compile("^encoder "), timeout=LONG)
    name = picker.get_attribute("data-chosen") or ""
    layer, head = map(int, name.removeprefix("encoder ").split("."))
    assert (layer, head) != (1, 1)  # not the first, but one worth seeing
    up = f"encoder {layer - 1}.{head}"
    picker.locator(f"[data-place='{name}']").press("ArrowUp")
    expect(picker).to_have_attribute("data-chosen", up, timeout=LONG)
    expect(picker.locator(f"[data-place='{up}']")).to_be_focused()


def test_the_boards_stay_in_place_whatever_is_chosen(page: Page, app: str) -> None:
    page.goto(f"{app}/head?kind=cross&layer=1&head=1")
    picker = page.locator(".head-picker")
    last = picker.locator("[data-place='cross 6.8']")
    expect(last).to_be_visible(timeout=LONG)
    before = last.bounding_box()
    last.click()
    expect(picker).to_have_attribute("data-chosen", "cross 6.8", timeout=LONG)
    assert last.bounding_box() == before


def test_on_a_phone_one_board_is_as_wide_as_the_page(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/head?kind=cross&layer=5&head=6")
    picker = page.locator(".head-picker")
    expect(picker.locator("[data-place='cross 5.6']")).to_be_visible(timeout=LONG)
    expect(picker.locator("[data-place='encoder 5.6']")).to_be_hidden()
    box = picker.locator("[data-place='cross 5.6']").bounding_box()
    assert box
    assert box["width"] >= 24
    assert box["height"] >= 24
    picker.locator("[data-kind='encoder']").click()
    expect(picker.locator("[data-place='encoder 5.6']")).to_be_visible(timeout=LONG)
