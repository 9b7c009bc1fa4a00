"""The laboratory in a browser: boards pressed and drawn on, chips, links, and how it looks."""

import re

from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest

LONG = 60_000


def opened(page: Page, address: str) -> None:
    page.goto(address)
    drawn = page.locator(".st-key-before-after, [data-testid=stPlotlyChart]")
    expect(drawn.first).to_be_visible(timeout=LONG)
    rest(page)


def chip(page: Page, text: str) -> Locator:
    return page.get_by_role("button", name=re.compile(text))


def cell(page: Page, place: str) -> Locator:
    """A cell of a board by the beginning of its name."""
    return page.locator(f'.board .cell[data-switch]:not([title*=" · "])[aria-label^="{place}"]')


def test_a_visit_to_the_heads(page: Page, app: str) -> None:
    opened(page, f"{app}/lab_heads")
    a_press_switches_a_head_off_and_the_chip_takes_it_back(page)
    rest(page)
    presses_that_are_quicker_than_the_browser_are_all_counted(page)
    what_is_changed_goes_along_to_every_page_and_its_link(page)


def a_press_switches_a_head_off_and_the_chip_takes_it_back(page: Page) -> None:
    cell(page, "encoder 2.3").click()
    expect(cell(page, "encoder 2.3")).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page).to_have_url(re.compile(r"edits=zero\.e\.2\.3"), timeout=LONG)
    rest(page)
    page.get_by_role("button", name="cross, layer 4, all").click()
    expect(chip(page, "cross layer 4: off")).to_be_visible(timeout=LONG)
    rest(page)
    chip(page, r"encoder 2.3: off \(zero").click()
    expect(cell(page, "encoder 2.3")).to_have_attribute("aria-pressed", "false", timeout=LONG)
    rest(page)  # the buttons beside the chip move to its place
    page.get_by_role("button", name="Reset all").click()
    expect(chip(page, "cross layer 4")).to_have_count(0, timeout=LONG)
    expect(page).not_to_have_url(re.compile("edits="), timeout=LONG)


def presses_that_are_quicker_than_the_browser_are_all_counted(page: Page) -> None:
    heads = [cell(page, f"encoder 5.{head}") for head in (1, 2, 3)]
    heads[0].evaluate("(first, rest) => [first, ...rest].forEach((head) => head.click())", [
        head.element_handle() for head in heads[1:]
    ])  # fmt: skip
    for head in heads:
        expect(head).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page).to_have_url(re.compile(r"edits=zero\.e\.5\.1-3"), timeout=LONG)


def what_is_changed_goes_along_to_every_page_and_its_link(page: Page) -> None:
    page.get_by_test_id("stSidebarNav").get_by_text("One head", exact=True).click()
    expect(page).to_have_url(re.compile(r"head\?.*edits=zero\.e\.5\.1-3"), timeout=LONG)
    expect(chip(page, "encoder 5.1")).to_be_visible(timeout=LONG)


def board_point(page: Page, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell of the drawing board, in pixels of the page."""
    board = page.locator("canvas[role='application']")
    box = board.bounding_box()
    assert box is not None
    left, top = (int(board.get_attribute(f"data-{side}") or 0) for side in ("left", "top"))
    size = int(board.get_attribute("data-cell") or 0)
    return box["x"] + left + (column + 0.5) * size, box["y"] + top + (row + 0.5) * size


def test_a_visit_to_the_masks(page: Page, app: str) -> None:
    opened(page, f"{app}/lab_masks?kind=cross&layer=2&head=5")
    links_are_forbidden_by_dragging_and_an_unreachable_query_is_refused(page)
    rest(page)  # what comes after the refusal moves what is pressed next
    the_drawing_board_obeys_the_keyboard(page)
    on_a_small_screen_all_keys_stand_in_a_row_above_the_switches(page)
    keys_beyond_the_edge_of_the_board_are_counted(page)
    a_model_that_learned_to_cheat_is_shown_with_where_it_looks(page)


def links_are_forbidden_by_dragging_and_an_unreachable_query_is_refused(page: Page) -> None:
    board = page.locator("canvas[role='application']")
    board.scroll_into_view_if_needed()
    rest(page)
    page.mouse.move(*board_point(page, 1, 0))
    page.mouse.down()
    page.mouse.move(*board_point(page, 1, 1))
    page.mouse.move(*board_point(page, 1, 2))
    page.mouse.up()
    expect(board).to_have_attribute("data-forbidden", "3", timeout=LONG)
    expect(page).to_have_url(re.compile(r"edits=block\.c\.2\.5\.2-1~2-2~2-3"), timeout=LONG)
    rest(page)
    page.get_by_test_id("stMain").get_by_text("decoder", exact=True).click()
    expect(board).to_have_attribute("data-forbidden", "0", timeout=LONG)
    rest(page)
    board.evaluate("board => board.scrollIntoView({ block: 'end' })")  # below the outcome
    rest(page)
    page.mouse.click(*board_point(page, 0, 0))
    refusal = "would have nothing left to look at"
    toast = page.get_by_test_id("stToast").filter(has_text=refusal)
    expect(toast).to_be_in_viewport(timeout=LONG)  # it stays for four seconds
    expect(page.get_by_test_id("stAlert").filter(has_text=refusal)).to_be_visible()
    expect(board).to_have_attribute("data-forbidden", "0")
    expect(page.locator(".wrap .reading")).to_contain_text("weight")


def the_drawing_board_obeys_the_keyboard(page: Page) -> None:
    page.get_by_test_id("stMain").get_by_text("encoder", exact=True).click()
    expect(page).to_have_url(re.compile("kind=encoder"), timeout=LONG)
    rest(page)
    board = page.locator("canvas[role='application']")
    board.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    expect(page).to_have_url(re.compile(r"block\.e\.2\.5\.2-2"), timeout=LONG)
    expect(board).to_have_attribute("data-forbidden", "1", timeout=LONG)


def on_a_small_screen_all_keys_stand_in_a_row_above_the_switches(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    rest(page)
    board = page.locator(".wrap:has(.scroll)").first
    expect(board).to_have_attribute("data-more", "0", timeout=LONG)
    rest(page)
    matrix = board.bounding_box()
    switch = page.get_by_role("radio", name="Lifted").bounding_box()
    assert matrix
    assert switch
    assert switch["y"] > matrix["y"] + matrix["height"]


def keys_beyond_the_edge_of_the_board_are_counted(page: Page) -> None:
    sentence = "When the old teacher opened the window, the children who had been waiting laughed."
    page.set_viewport_size({"width": 800, "height": 900})
    rest(page)
    box = page.get_by_label("Sentence to translate")
    box.fill(sentence)
    box.press("Enter")
    expect(page).to_have_url(re.compile("sentence=When"), timeout=LONG)
    canvas = page.locator("canvas[role='application']")
    expect(canvas).to_have_attribute("data-forbidden", "0", timeout=LONG)  # not the old board
    rest(page)
    board = page.locator(".wrap:has(.scroll)").first
    expect(board).to_have_attribute("data-more", re.compile(r"^[1-9]"), timeout=LONG)
    board.locator(".scroll").evaluate("node => (node.scrollLeft = node.scrollWidth)")
    expect(board).to_have_attribute("data-more", "0")


def a_model_that_learned_to_cheat_is_shown_with_where_it_looks(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    rest(page)
    page.get_by_role("radio", name="Trained to cheat").click()
    expect(page).to_have_url(re.compile("masks=trained"), timeout=LONG)
    expect(page.get_by_text("en-fr-cheat, without it")).to_be_visible(timeout=LONG)
    expect(page.locator("[data-testid=stPlotlyChart] .main-svg").first).to_be_visible(timeout=LONG)
    frames = page.locator(".st-key-cheat-look-ahead .shapelayer path")
    expect(frames.nth(5)).to_be_attached(timeout=LONG)


def test_on_a_phone_every_chip_and_the_way_back_are_in_view(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{app}/lab_masks?edits=zero.e.1.1_zero.c.5.6")
    row = page.locator(".st-key-edits-row")
    expect(row.get_by_role("button", name="Reset all")).to_be_visible(timeout=LONG)
    expect(row.get_by_role("button", name=re.compile("✕"))).to_have_count(2)
    rest(page)
    for button in row.get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390


def test_a_pair_is_compared_in_the_dark_on_a_small_screen(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.emulate_media(color_scheme="dark")
    opened(page, f"{app}/lab_pairs?kind=cross&layer=1&head=99")
    picker = page.locator(".head-picker")
    chosen = picker.locator(".cell[aria-pressed='true']")
    expect(chosen).to_have_attribute("aria-label", re.compile("^cross 1.1 · 0.*"), timeout=LONG)
    expect(picker.locator(".legend")).to_contain_text("share of the row that moved")
    picker.locator("[data-place='cross 3.2']").click()
    expect(page).to_have_url(re.compile("kind=cross"), timeout=LONG)
    expect(page.get_by_text("cross 3.2: second minus first")).to_be_visible(timeout=LONG)
    rest(page)
    page.get_by_role("button", name="big / small").click()
    box = page.get_by_label("Compare the sentence above with")
    expect(box).to_have_value(re.compile("suitcase.*small"), timeout=LONG)
    rest(page)
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not wide
