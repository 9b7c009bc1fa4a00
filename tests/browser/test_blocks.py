"""Blocks in a browser: left out by a press, taken to pieces by a click, with their code."""

import re

from playwright.sync_api import Page, expect

from browser.waiting import rest

LONG = 60_000


def opened(page: Page, address: str) -> None:
    page.set_default_timeout(LONG)
    page.goto(address)
    drawn = page.locator(".st-key-before-after, .architecture, [data-testid=stPlotlyChart]")
    expect(drawn.first).to_be_visible(timeout=LONG)
    rest(page)


def test_a_press_leaves_a_residual_out_and_a_layer(page: Page, app: str) -> None:
    opened(page, f"{app}/lab_blocks?sentence=Thank+you.")
    residual = page.locator('.cell[aria-label^="encoder, layer 2, residual around feed-forward"]')
    residual.click()
    expect(residual).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page).to_have_url(re.compile(r"edits=res\.e\.2\.ffn"), timeout=LONG)
    rest(page)
    page.get_by_role("button", name="decoder, layer 3, all").click()
    expect(page.get_by_role("button", name="decoder layer 3 skipped")).to_be_visible(timeout=LONG)
    expect(page.locator('.cell[aria-pressed="true"]')).to_have_count(10, timeout=LONG)


def test_what_is_foreseen_is_told_and_not_drawn_on_the_board(page: Page, app: str) -> None:
    opened(page, f"{app}/lab_blocks?sentence=Thank+you.")
    expect(page.locator(".outcome.foreseen .said")).to_contain_text("If you press", timeout=LONG)
    pressed = page.locator('.board .cell[aria-pressed="true"]')
    expect(pressed).to_have_count(0)
    page.get_by_role("button", name="The part it needs most").click()
    expect(pressed).to_have_count(1, timeout=LONG)


def test_a_click_on_a_key_takes_another_score_to_pieces(page: Page, app: str) -> None:
    opened(page, f"{app}/why?kind=encoder&layer=1&head=2&query=2&key=3&sentence=The+cat+sleeps.")
    title = page.locator(".st-key-products .xtitle")
    expect(title).to_contain_text("sleep", timeout=LONG)
    page.locator("button.chip[data-position='1']").nth(1).click()
    expect(title).to_contain_text("cat", timeout=LONG)
    expect(page).to_have_url(re.compile("key=2"), timeout=LONG)
    expect(page.get_by_text("Recomputed from these numbers").first).to_be_visible()


def test_a_block_opens_the_code_that_made_it(page: Page, app: str) -> None:
    opened(page, f"{app}/layers?block=encoder.0.ffn.hidden&sentence=The+cat+sleeps.")
    page.get_by_text("The code that made this").click()
    code = page.get_by_test_id("stCode").first
    expect(code).to_contain_text("class FeedForward", timeout=LONG)
    expect(code).to_contain_text("# B S F = 1 6 1024")
    page.get_by_text("In Python").click()
    python = page.get_by_test_id("stCode").nth(1)
    expect(python).to_contain_text('recording["encoder.0.ffn.hidden"]  # 6 x 1024')
