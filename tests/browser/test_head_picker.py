"""The boards on which a head is chosen: by pointer, by keyboard, on a phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest
from tests.nightly import nightly
from tests.sentences import DECIDING
from viz.compute import runs

LONG = 60_000


def opened(page: Page) -> Locator:
    """The choice of a head with all its boards, which are folded into one line on most pages."""
    picker = page.locator(".head-picker")
    expect(picker).to_be_visible(timeout=LONG)
    rest(page)
    opener = picker.locator(".opener")
    if opener.count():
        opener.click()
    expect(picker.locator(".boards")).to_be_visible()
    return picker


@pytest.mark.parametrize(
    ("link", "first"), [("why", DECIDING), *nightly(("lab_masks", re.compile("^cross ")))]
)
def test_a_press_chooses_the_head_of_the_page(
    page: Page, app: str, link: str, first: str | re.Pattern[str]
) -> None:
    page.goto(f"{app}/{link}")
    picker = opened(page)
    expect(picker).to_have_attribute("data-chosen", first, timeout=LONG)
    picker.locator("[data-place='encoder 3.4']").click()
    expect(picker).to_have_attribute("data-chosen", "encoder 3.4", timeout=LONG)
    chosen = picker.locator(".boards [aria-pressed='true'].cell")
    expect(chosen).to_have_attribute("title", re.compile("^encoder 3.4"))
    expect(page).to_have_url(re.compile("kind=encoder&layer=3&head=4"), timeout=LONG)


def test_the_boards_stay_in_place_and_arrows_go_on(page: Page, app: str) -> None:
    page.goto(f"{app}/head?kind=cross&layer=1&head=1")
    picker = opened(page)
    expect(page.locator(".chain")).to_be_visible(timeout=LONG)
    rest(page)
    the_boards_stay_in_place_whatever_is_chosen(page, picker)
    another_kind_begins_where_the_sentence_opens_and_arrows_go_on(picker)


def the_boards_stay_in_place_whatever_is_chosen(page: Page, picker: Locator) -> None:
    last = picker.locator(".boards [data-place='cross 6.8']")
    before = last.bounding_box()
    last.click()
    expect(picker).to_have_attribute("data-chosen", "cross 6.8", timeout=LONG)
    rest(page)
    assert last.bounding_box() == before


def another_kind_begins_where_the_sentence_opens_and_arrows_go_on(picker: Locator) -> None:
    picker.locator("[data-kind='encoder']").click()
    expect(picker).to_have_attribute("data-chosen", re.compile("^encoder "), timeout=LONG)
    name = picker.get_attribute("data-chosen") or ""
    layer, head = map(int, name.removeprefix("encoder ").split("."))
    assert (layer, head) != (1, 1)  # not the first, but one worth seeing
    up = f"encoder {layer - 1}.{head}"
    picker.locator(f".boards [data-place='{name}']").press("ArrowUp")
    expect(picker).to_have_attribute("data-chosen", up, timeout=LONG)
    expect(picker.locator(f".boards [data-place='{up}']")).to_be_focused()


def test_on_a_phone_one_board_is_as_wide_as_the_page(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/head?kind=cross&layer=5&head=6")
    picker = opened(page).locator(".boards")
    expect(picker.locator("[data-place='cross 5.6']")).to_be_visible(timeout=LONG)
    expect(picker.locator("[data-place='encoder 5.6']")).to_be_hidden()
    box = picker.locator("[data-place='cross 5.6']").bounding_box()
    assert box
    assert box["width"] >= 24
    assert box["height"] >= 24
    picker.locator("[data-kind='encoder']").click()
    expect(picker.locator("[data-place='encoder 5.6']")).to_be_visible(timeout=LONG)


def test_the_heads_of_a_layer_stand_in_one_line_and_the_rest_a_press_away(
    page: Page, app: str
) -> None:
    page.goto(f"{app}/why?kind=cross&layer=5&head=3")
    picker = page.locator(".head-picker")
    expect(picker).to_have_attribute("data-chosen", "cross 5.3", timeout=LONG)
    rest(page)
    box = picker.bounding_box()
    assert box
    assert box["height"] < 50
    line = picker.locator(".picker > .head-board .cell")
    expect(line).to_have_count(8)
    expect(picker.locator(".boards")).to_be_hidden()
    line.nth(2).press("ArrowRight")
    expect(picker).to_have_attribute("data-chosen", "cross 5.4", timeout=LONG)
    expect(line.nth(3)).to_be_focused()
    picker.locator(".opener").click()
    expect(picker.locator(".boards .cell")).to_have_count(3 * 6 * 8)
    page.keyboard.press("Escape")
    expect(picker.locator(".boards")).to_be_hidden()


PIXELS = """async (node) => {
  const style = getComputedStyle(node);
  const image = new Image();
  image.src = style.backgroundImage.slice(5, -2);
  await image.decode();
  return [image.naturalWidth, image.naturalHeight, style.backgroundSize, style.backgroundPosition];
}"""


def test_every_cell_shows_its_part_of_one_image(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_heads?sentence=Thank+you.")
    # The boards are drawn anew once the heads are measured; those before have no style any more.
    expect(page.locator("[data-measured='true']")).to_be_visible(timeout=LONG)
    tiles = page.locator(".board").nth(2).locator(".tile")
    expect(tiles).to_have_count(48, timeout=LONG)
    shown = [tiles.nth(place).evaluate(PIXELS) for place in (0, 9, 47)]
    rows, columns = map(len, runs.run("Thank you.").recording.tokens("cross"))
    assert {(width, height) for width, height, *_ in shown} == {(8 * columns, 6 * rows)}
    assert {size for *_, size, _ in shown} == {"800% 600%"}
    places = [place for *_, place in shown]
    assert places[0] == "0% 0%"
    assert places[2] == "100% 100%"
    assert re.fullmatch(r"14\.28\d*% 20%", places[1])
