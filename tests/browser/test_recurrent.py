"""The alignments of all models side by side, with the pointer on one of them."""

from playwright.sync_api import Page, expect

from model.recurrent.config import ATTENDING, FIXED

LOOKING = len(ATTENDING) - len(FIXED) + 1
"""Models that look: the recurrent ones with attention, and the Transformer."""


def test_the_pointer_marks_the_same_source_piece_in_every_model(page: Page, app: str) -> None:
    page.goto(f"{app}/recurrent?sentence=My+sister+is+here.")
    panels = page.locator(".alignments figure")
    attending = panels.filter(has=page.locator("table"))
    expect(attending).to_have_count(LOOKING)
    expect(panels).to_have_count(len(ATTENDING) + 1)
    # Else what is still to come moves another cell under the pointer.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.locator(".alignments figure:has(table) td:not(.corner)").nth(2).hover()
    for number in range(LOOKING):
        expect(attending.nth(number).locator("td.marked")).to_have_count(1)
        expect(attending.nth(number).locator(".reading")).to_contain_text("→")
    columns = page.locator(".alignments td.marked").evaluate_all(
        "cells => cells.map(cell => cell.dataset.column)"
    )
    assert set(columns) == {"2"}
