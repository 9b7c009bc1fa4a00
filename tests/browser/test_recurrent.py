"""The alignments of all models side by side, with the pointer on one of them."""

from playwright.sync_api import Page, expect


def test_the_pointer_marks_the_same_source_piece_in_every_model(page: Page, app: str) -> None:
    page.goto(f"{app}/recurrent?sentence=My+sister+is+here.")
    panels = page.locator(".alignments figure")
    attending = panels.filter(has=page.locator("table"))
    expect(attending).to_have_count(6)
    expect(panels).to_have_count(7)
    # Else what is still to come moves another cell under the pointer.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.locator(".alignments figure:has(table) td:not(.corner)").nth(2).hover()
    for number in range(6):
        expect(attending.nth(number).locator("td.marked")).to_have_count(1)
        expect(attending.nth(number).locator(".reading")).to_contain_text("→")
    columns = page.locator(".alignments td.marked").evaluate_all(
        "cells => cells.map(cell => cell.dataset.column)"
    )
    assert set(columns) == {"2"}
