"""A walk through the page of positions."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.figures import picture

VIEWS = {
    "curves": ("curves", "dimension 0"),
    "table": ("table", "interleaved"),
    "dot products": ("products", "for any p"),
    "shift by k": ("shift", "The matrix M"),
    "added or joined": ("combination", "concatenated"),
}
PATIENCE = 60_000


def test_a_walk_through_the_views(page: Page, app: str, shots: Path) -> None:
    page.goto(f"{app}/positions")
    for name, (key, text) in VIEWS.items():
        page.get_by_role("radio", name=name.capitalize(), exact=True).click()
        expect(picture(page, key)).to_contain_text(text, timeout=PATIENCE)
        assert page.get_by_test_id("stException").count() == 0
        page.screenshot(path=shots / f"positions-{name}.png", full_page=True)
    expect(page).to_have_url(re.compile("positions=added"))


def test_another_base_moves_the_curves(page: Page, app: str) -> None:
    page.goto(f"{app}/positions?dimensions=9")
    line = picture(page, "curves").locator(".scatterlayer path.js-line").first
    expect(line).to_be_visible(timeout=PATIENCE)
    before = line.get_attribute("d")
    page.locator(".st-key-base input").press("ArrowLeft")
    expect(line).not_to_have_attribute("d", before or "", timeout=PATIENCE)
    expect(page).to_have_url(re.compile("base=1000"))


def test_the_changed_model_stands_beside_the_model(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_scale?break=positions+side+by+side&edits=shuffle.e.1_shuffle.d.1")
    model = picture(page, "model")
    expect(model.locator(".heatmaplayer image")).to_have_count(2, timeout=PATIENCE)
    expect(page.get_by_text("Translation, positions as trained")).to_be_visible()
    expect(page.get_by_text("Translation, positions changed")).to_be_visible()
    expect(page.locator("mark").first).to_be_visible()  # a word that only one of the two has
    expect(model).to_contain_text("query: who is looking")
    expect(model).to_contain_text("key: who is looked at")
    expect(model).to_contain_text("decoder positions shuffled, encoder positions shuffled")
    expect(page).to_have_url(
        re.compile(r"lab_scale.break=positions.*edits=shuffle\.d\.1_shuffle\.e\.1")
    )
    assert "change=" not in page.url


def test_a_number_chosen_here_is_a_change_of_the_model(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_scale?break=positions+side+by+side&edits=shift.e.5")
    expect(picture(page, "model")).to_contain_text("shifted by +5", timeout=PATIENCE)
    page.locator(".st-key-positions-number-encoder input").press("ArrowUp")
    expect(picture(page, "model")).to_contain_text("shifted by +6", timeout=PATIENCE)
    expect(page.get_by_role("button", name="encoder positions shifted by +6")).to_be_visible()
    expect(page).to_have_url(re.compile(r"edits=shift\.e\.6"))


@pytest.mark.parametrize("name", VIEWS)
def test_the_explanations_hold_formulas(page: Page, app: str, name: str) -> None:
    page.goto(f"{app}/positions?positions={name}")
    page.get_by_text("What am I looking at?").click()
    expect(page.locator(".katex").first).to_be_visible(timeout=PATIENCE)
    assert page.locator(".katex-error").count() == 0
