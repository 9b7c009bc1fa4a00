"""The list of all models, their scores and translations, with the alignment of one of them."""

import pytest
from playwright.sync_api import Locator, Page, expect

from model.recurrent.config import ATTENDING, FIXED

ALL = len(ATTENDING) + 1
"""The recurrent models, and the Transformer."""


@pytest.fixture
def models(page: Page, app: str) -> Locator:
    page.goto(f"{app}/recurrent?sentence=My+sister+is+here.")
    found = page.locator(".listed .model")
    expect(found).to_have_count(ALL)
    # Else what is still to come moves another cell under the pointer.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    return found


def test_the_first_model_with_attention_is_large(page: Page, models: Locator) -> None:
    large = page.locator(".listed figure").filter(visible=True)
    expect(large).to_have_count(1)
    expect(large.locator("table")).to_be_visible()
    expect(models.nth(len(FIXED))).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".listed .axes")).to_contain_text("query")
    assert models.locator("canvas").count() == ALL - len(FIXED)


def test_a_model_is_chosen_by_keyboard(page: Page, models: Locator) -> None:
    large = page.locator(".listed figure").filter(visible=True)
    models.first.press("Enter")
    expect(models.first).to_have_attribute("aria-pressed", "true")
    expect(large.locator("table")).to_have_count(0)
    expect(large).to_contain_text("No alignment")
    models.last.press("Enter")
    expect(large.locator("table")).to_be_visible()


def test_the_pointer_tells_the_weight_in_every_model(page: Page, models: Locator) -> None:
    cells = page.locator(".listed figure").filter(visible=True).locator("td:not(.corner)")
    cells.nth(2).hover()
    readings = models.locator(".reading")
    for number in range(ALL - len(FIXED)):
        expect(readings.nth(number)).to_contain_text("→")
    assert readings.count() == ALL - len(FIXED)


def test_bars_are_as_long_as_their_scores(models: Locator) -> None:
    scores = [float(text) for text in models.locator(".score").all_inner_texts()]
    lengths = models.locator(".bar").evaluate_all(
        "bars => bars.map(bar => bar.firstChild.offsetWidth / bar.offsetWidth)"
    )
    assert len(scores) == ALL
    assert lengths == pytest.approx([score / max(scores) for score in scores], abs=0.02)
