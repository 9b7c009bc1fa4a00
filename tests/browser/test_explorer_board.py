"""The board of layers and heads in the explorer's row of controls."""

from pathlib import Path

from playwright.sync_api import Page, expect

from browser.explorer_file import TOGETHER, explorer, write_explorer
from tests.fixtures.explorer_recordings import recording


def test_the_board_chooses_a_head_of_any_layer_or_all_of_one(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, recording(), TOGETHER))  # cross 2, heads 6, 7 and 8
    root = explorer(page)
    opener = page.locator(".stepper .opener")
    expect(opener).to_contain_text("Layer 2 of 6")
    board = page.locator(".stepper .head-board")
    expect(board).to_have_count(0)  # drawn only for those who open it
    opener.click()
    expect(board).to_be_visible()
    shown = board.locator(".averaged")
    expect(shown).to_have_count(3)
    board.locator("[data-place='cross 4.3']").click()
    expect(root).to_have_attribute("data-layer", "4")
    expect(root).to_have_attribute("data-heads", "3")
    expect(shown).to_have_count(0)
    expect(page.locator(".stepper output")).to_have_text("cross 4.3")
    page.keyboard.press("ArrowDown")  # from cell to cell, as on every board
    expect(root).to_have_attribute("data-layer", "5")
    expect(root).to_have_attribute("data-heads", "3")
    board.locator("[data-side='layer'][data-number='1']").click()
    expect(root).to_have_attribute("data-layer", "1")
    expect(root).to_have_attribute("data-heads", "1-2-3-4-5-6-7-8")
    expect(shown).to_have_count(8)
    expect(opener).to_contain_text("Layer 1 of 6")
    page.keyboard.press("Escape")
    expect(board).to_be_hidden()
    expect(opener).to_be_focused()


def test_the_board_has_the_layers_and_heads_of_the_kind_on_screen(
    page: Page, tmp_path: Path
) -> None:
    sample = recording(layers=(6, 2), count=4)
    page.goto(write_explorer(tmp_path, sample, "kind=encoder&layer=6&heads=4"))
    explorer(page)
    page.locator(".stepper .opener").click()
    cells = page.locator(".stepper .head-board .cell")
    expect(cells).to_have_count(6 * 4)
    page.get_by_role("button", name="Cross").click()
    page.locator(".stepper .opener").click()
    expect(cells).to_have_count(2 * 4)
